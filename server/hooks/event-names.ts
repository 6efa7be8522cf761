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
 * Gitea's names of the events that webhooks can subscribe to. Group names and `_only` names stand for some of
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

/**
 * Names of Guildhall's own events, which Gitea does not have. Only webhooks that list them by name receive
 * them.
 */
export const ownEvents = ['artifact', 'key', 'membership', 'organization', 'runner', 'team'] as const

/** An event that a webhook can subscribe to, as stored and shown, with group names expanded. */
export type HookEventName = (typeof giteaEvents)[number] | (typeof ownEvents)[number]

/** The events that each accepted word in `events` stands for. */
const meanings: ReadonlyMap<string, readonly HookEventName[]> = new Map<string, readonly HookEventName[]>([
  ...[...giteaEvents, ...ownEvents].map(event => [event, [event]] as const),
  ['issues', issueEvents],
  ['issues_only', ['issues']],
  ['pull_request', pullRequestEvents],
  ['pull_request_only', ['pull_request']],
])

/** The event names and aliases that the `events` field of a webhook accepts. */
export const acceptedEventNames: readonly string[] = [...meanings.keys()]

/**
 * Converts the `events` field of a webhook to event names, sorted and without duplicates, and expands group
 * names. Case-insensitive. Ignores unknown names if at least one name is known. Returns `push` for an empty
 * list.
 * @throws {DomainError} unprocessable if all names are unknown.
 */
export function internalEvents(words: readonly string[]): HookEventName[] {
  if (words.length === 0) return ['push']
  const events = [...new Set(words.flatMap(word => meanings.get(word.toLowerCase()) ?? []))].sort()
  if (events.length > 0) return events
  const unknown = words.map(word => `"${word}"`).join(', ')
  throw unprocessable(
    `There is no event named ${unknown}. For valid names, see the events field in /api/docs.`,
    {
      field: 'events',
    },
  )
}

/** Returns the name of an event in the headers of a delivery. Several related events share one name. */
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
