import type { HookEventName } from '@/server/hooks/event-names'
import type { ScopeName } from '@/server/scopes/schema'

interface EventLabels {
  /** In a row with others, as in "Pushes, releases". */
  label: string
  /** When it is sent. */
  about: string
}

/** What each event is called, and what it is sent for. */
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
  workflow_run: { label: 'Workflow runs', about: 'A workflow run is requested, starts, or finishes' },
  workflow_job: { label: 'Workflow jobs', about: 'A workflow job is queued, starts, or finishes' },
  runner: { label: 'Runners', about: 'A runner is registered, changed, or removed' },
  artifact: { label: 'Artifacts', about: 'A workflow artifact is uploaded or deleted' },
  fork: { label: 'Forks', about: 'A repository is forked' },
  wiki: { label: 'Wiki pages', about: 'A wiki page is created, changed, or deleted' },
  package: { label: 'Packages', about: 'A package is published or deleted' },
  status: { label: 'Commit statuses', about: 'The status of a commit changes' },
  issues: { label: 'Issues', about: 'An issue is opened, closed, reopened, or changed' },
  issue_assign: { label: 'Issue assignments', about: 'An issue is assigned or unassigned' },
  issue_label: { label: 'Issue labels', about: 'Labels of an issue are added or removed' },
  issue_milestone: { label: 'Issue milestones', about: 'The milestone of an issue is set or cleared' },
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
  /** What holds for all of them. */
  about?: string
  events: readonly HookEventName[]
}

type Scope = ScopeName['kind']

/** What this site sends something for, and the hooks of which scopes can get it. */
const sentEvents: readonly (EventGroup & { scopes: readonly Scope[] })[] = [
  {
    title: 'Code and releases',
    events: ['push', 'create', 'delete', 'repository', 'release'],
    scopes: ['organization', 'repository', 'own', 'site'],
  },
  {
    title: 'Workflows',
    events: ['workflow_run', 'workflow_job'],
    scopes: ['organization', 'repository', 'own', 'site'],
  },
  {
    title: 'People and access',
    about: 'Gitea does not have these events.',
    events: ['organization', 'team', 'membership'],
    scopes: ['organization', 'site'],
  },
  { title: 'Accounts', about: 'Gitea does not have this event.', events: ['key'], scopes: ['own', 'site'] },
]

/** Those that the hooks of a scope can get, in groups. */
export const offeredGroups = (kind: Scope): readonly EventGroup[] =>
  sentEvents.filter(({ scopes }) => scopes.includes(kind))

/** All others, which are accepted as Gitea accepts them. */
export function unsentEvents(kind: Scope): readonly HookEventName[] {
  const offered = offeredGroups(kind).flatMap(({ events }) => events)
  return orderedEvents.filter(event => !offered.includes(event))
}

// Those that are sent first.
const orderedEvents = Object.keys(eventLabels) as HookEventName[]

export const allEvents: readonly HookEventName[] = [...orderedEvents].sort()

/** How the form offers the choice of events. */
export type EventChoice = 'push' | 'all' | 'selected'

/** Which of the offers a hook stands for. */
export function choiceOf(events: readonly string[]): EventChoice {
  if (events.length === 1 && events[0] === 'push') return 'push'
  return allEvents.every(event => events.includes(event)) ? 'all' : 'selected'
}

const shownEvents = 3

/** The events of a hook in a row: "Pushes, releases and 2 more". */
export function eventsLabel(events: readonly string[]): string {
  if (events.length === 0) return 'No events'
  if (choiceOf(events) === 'all') return 'All events'
  const ordered = orderedEvents.filter(event => events.includes(event)).map(event => eventLabels[event].label)
  const shown = ordered.slice(0, ordered.length === shownEvents + 1 ? shownEvents + 1 : shownEvents)
  const labels = shown.map((label, at) => (at === 0 ? label : lowerFirst(label))).join(', ')
  return ordered.length > shown.length ? `${labels}, and ${ordered.length - shown.length} more` : labels
}

/** One event; as the wire has it where this page does not know it. */
export const eventLabel = (event: string): string =>
  Object.hasOwn(eventLabels, event)
    ? eventLabels[event as HookEventName].label
    : event === 'ping'
      ? 'Pings'
      : event

// "SSH keys" keeps its letters.
const lowerFirst = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
