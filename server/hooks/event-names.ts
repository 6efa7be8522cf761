import { unprocessable } from '@/server/kernel/errors'

const issueEvents = ['issue_assign', 'issue_comment', 'issue_label', 'issue_milestone', 'issues'] as const

const pullRequestEvents = [
  'pull_request',
  'pull_request_assign',
  'pull_request_comment',
  'pull_request_label',
  'pull_request_milestone',
  'pull_request_review',
  'pull_request_review_request',
  'pull_request_sync',
] as const

/** What hooks can ask for as Gitea names it; the words of groups and the `_only` forms stand for some of these. */
export const giteaEvents = [
  'create',
  'delete',
  'fork',
  ...issueEvents,
  'package',
  ...pullRequestEvents,
  'push',
  'release',
  'repository',
  'status',
  'wiki',
  'workflow_job',
  'workflow_run',
] as const

/** What Gitea has no event for: sent only to hooks that ask for it by name. */
export const ownEvents = ['artifact', 'key', 'membership', 'organization', 'runner', 'team'] as const

/** An event a hook can ask for, as hooks are stored and shown: groups are taken apart. */
export type HookEventName = (typeof giteaEvents)[number] | (typeof ownEvents)[number]

/** What each word in `events` asks for. */
const meanings: ReadonlyMap<string, readonly HookEventName[]> = new Map<string, readonly HookEventName[]>([
  ...[...giteaEvents, ...ownEvents].map(event => [event, [event]] as const),
  ['issues', issueEvents],
  ['issues_only', ['issues']],
  ['pull_request', pullRequestEvents],
  ['pull_request_only', ['pull_request']],
])

/** The words that `events` takes. */
export const eventWords: readonly string[] = [...meanings.keys()]

/**
 * The events that these words ask for, sorted, each once. Words count in any case, and unknown ones beside others not at
 * all; without any word it is `push`.
 * @throws {DomainError} unprocessable where all words are unknown.
 */
export function internalEvents(words: readonly string[]): HookEventName[] {
  if (words.length === 0) return ['push']
  const events = [...new Set(words.flatMap(word => meanings.get(word.toLowerCase()) ?? []))].sort()
  if (events.length > 0) return events
  const unknown = words.map(word => `"${word}"`).join(', ')
  throw unprocessable(`no event is called ${unknown}; /api/docs lists the names, at the field events`, {
    field: 'events',
  })
}

/** The word that the headers of a delivery name an event by: some events share one. */
export function headerEvent(event: HookEventName): string {
  switch (event) {
    case 'issue_assign':
    case 'issue_label':
    case 'issue_milestone':
      return 'issues'
    case 'pull_request_assign':
    case 'pull_request_label':
    case 'pull_request_milestone':
    case 'pull_request_review_request':
    case 'pull_request_sync':
      return 'pull_request'
    case 'pull_request_comment':
      return 'issue_comment'
    default:
      return event
  }
}
