import type { HookEventName } from '@/server/hooks/event-names'
import type { ScopeName } from '@/server/scopes/schema'

interface EventLabels {
  /** Name in a list, as in "Pushes, releases". */
  label: string
  /** When the event is sent. */
  about: string
}

/** Name and description of each event. */
export const eventLabels: Record<HookEventName, EventLabels> = {
  push: { label: 'Pushes', about: 'Commits are pushed to a branch, or a tag is pushed' },
  create: { label: 'Created branches and tags', about: 'A branch or tag is created' },
  delete: { label: 'Deleted branches and tags', about: 'A branch or tag is deleted' },
  repository: { label: 'Repositories', about: 'A repository is created or deleted' },
  release: { label: 'Releases', about: 'A release is published, changed, or deleted' },
  organization: { label: 'Organization', about: 'The organization is changed, renamed, or deleted' },
  team: { label: 'Teams', about: 'A team is created, changed, or deleted, or gains or loses a repository' },
  membership: { label: 'Memberships', about: 'Someone joins or leaves a team or the organization' },
  key: { label: 'SSH keys', about: 'Someone adds or removes an SSH key' },
  status: { label: 'Commit statuses', about: 'A CI system, or a job of a workflow, reports on a commit' },
  workflow_run: { label: 'Workflow runs', about: 'A workflow run is requested, starts, or finishes' },
  workflow_job: { label: 'Workflow jobs', about: 'A workflow job is queued, starts, or finishes' },
  runner: { label: 'Runners', about: 'A runner is registered, changed, or removed' },
  artifact: { label: 'Artifacts', about: 'A workflow artifact is uploaded or deleted' },
  fork: { label: 'Forks', about: 'A repository is forked' },
  wiki: { label: 'Wiki pages', about: 'A wiki page is created, changed, or deleted' },
  package: { label: 'Packages', about: 'A package is published or deleted' },
  issues: { label: 'Issues', about: 'An issue is opened, closed, reopened, or changed' },
  issue_assign: { label: 'Issue assignments', about: 'An issue is assigned or unassigned' },
  issue_label: { label: 'Issue labels', about: 'Labels are added to or removed from an issue' },
  issue_milestone: { label: 'Issue milestones', about: 'An issue’s milestone is set or cleared' },
  issue_comment: { label: 'Issue comments', about: 'A comment is created, changed, or deleted' },
  pull_request: { label: 'Pull requests', about: 'A pull request is opened, closed, reopened, or changed' },
  pull_request_assign: {
    label: 'Pull request assignments',
    about: 'A pull request is assigned or unassigned',
  },
  pull_request_label: { label: 'Pull request labels', about: 'Labels are added or removed' },
  pull_request_milestone: { label: 'Pull request milestones', about: 'The milestone is set or cleared' },
  pull_request_comment: {
    label: 'Pull request comments',
    about: 'A comment is created, changed, or deleted',
  },
  pull_request_review: { label: 'Pull request reviews', about: 'A review is submitted' },
  pull_request_review_request: {
    label: 'Review requests',
    about: 'A review is requested, or the request is withdrawn',
  },
  pull_request_sync: { label: 'Pull request updates', about: 'Commits are pushed to a pull request' },
}

interface EventGroup {
  title: string
  /** Note that applies to all events of the group. */
  about?: string
  events: readonly HookEventName[]
}

type Scope = ScopeName['kind']

/** Events that this site sends, with the scopes whose hooks can receive them. */
const sentEvents: readonly (EventGroup & { scopes: readonly Scope[] })[] = [
  {
    title: 'Code and releases',
    events: ['push', 'create', 'delete', 'repository', 'release', 'status'],
    scopes: ['organization', 'repository', 'own', 'site'],
  },
  {
    title: 'Workflows',
    events: ['workflow_run', 'workflow_job'],
    scopes: ['organization', 'repository', 'own', 'site'],
  },
  {
    title: 'People and access',
    about: 'Gitea doesn’t have these events.',
    events: ['organization', 'team', 'membership'],
    scopes: ['organization', 'site'],
  },
  { title: 'Accounts', about: 'Gitea doesn’t have this event.', events: ['key'], scopes: ['own', 'site'] },
]

/** Returns the events that a scope's hooks can receive, in groups. */
export const offeredGroups = (kind: Scope): readonly EventGroup[] =>
  sentEvents.filter(({ scopes }) => scopes.includes(kind))

/** Returns all other events. They are accepted for compatibility with Gitea. */
export function unsentEvents(kind: Scope): readonly HookEventName[] {
  const offered = offeredGroups(kind).flatMap(({ events }) => events)
  return orderedEvents.filter(event => !offered.includes(event))
}

// Events that this site sends come first.
const orderedEvents = Object.keys(eventLabels) as HookEventName[]

export const allEvents: readonly HookEventName[] = [...orderedEvents].sort()

/** Options for events in the form. */
export type EventChoice = 'push' | 'all' | 'selected'

/** Returns the form option that a hook's events correspond to. */
export function choiceOf(events: readonly string[]): EventChoice {
  if (events.length === 1 && events[0] === 'push') return 'push'
  return allEvents.every(event => events.includes(event)) ? 'all' : 'selected'
}

const shownEvents = 3

/** Summarizes a hook's events, such as "Pushes, releases, and 2 more". */
export function eventsLabel(events: readonly string[]): string {
  if (events.length === 0) return 'No events'
  if (choiceOf(events) === 'all') return 'All events'
  const ordered = orderedEvents.filter(event => events.includes(event)).map(event => eventLabels[event].label)
  const shown = ordered.slice(0, ordered.length === shownEvents + 1 ? shownEvents + 1 : shownEvents)
  const labels = shown.map((label, at) => (at === 0 ? label : lowerFirst(label))).join(', ')
  return ordered.length > shown.length ? `${labels}, and ${ordered.length - shown.length} more` : labels
}

/** Returns the label of an event, or its name if it is unknown. */
export const eventLabel = (event: string): string =>
  Object.hasOwn(eventLabels, event)
    ? eventLabels[event as HookEventName].label
    : event === 'ping'
      ? 'Pings'
      : event

// Keeps the capitals of "SSH keys".
const lowerFirst = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
