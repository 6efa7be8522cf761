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

/**
 * Gitea's names of the events that hooks can choose. The names of groups and the `_only` names stand for some of
 * these.
 */
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

/** Events that Gitea does not have, sent only to hooks that choose them by name. */
export const ownEvents = ['artifact', 'key', 'membership', 'organization', 'runner', 'team'] as const

/** An event that a hook can choose, as stored and shown, with groups expanded. */
export type HookEventName = (typeof giteaEvents)[number] | (typeof ownEvents)[number]

/** The events that each word in `events` stands for. */
const meanings: ReadonlyMap<string, readonly HookEventName[]> = new Map<string, readonly HookEventName[]>([
  ...[...giteaEvents, ...ownEvents].map(event => [event, [event]] as const),
  ['issues', issueEvents],
  ['issues_only', ['issues']],
  ['pull_request', pullRequestEvents],
  ['pull_request_only', ['pull_request']],
])

/** The words that `events` accepts. */
export const acceptedEventNames: readonly string[] = [...meanings.keys()]

/**
 * Returns the events that these words stand for, sorted and without duplicates. Case is ignored, as are unknown words
 * beside known ones. Without any word, it is `push`.
 * @throws {DomainError} unprocessable if all words are unknown.
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

/** The name of an event in the headers of a delivery. Some events share one. */
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
