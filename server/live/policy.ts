import type { Visibility } from '@/db/tables/users'
import { type AccessById, maySeePerson, maySeeRepository, type Subject } from '@/server/access'
import { type AccessMode, atLeast } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'
import type { EventKind, EventSignal, Notice } from '@/server/events'
import { concernsAccessOf } from './losses'
import type { Topic } from './schema'
import type { HookRef } from './store'

/** The viewer's permissions on everything that some signals are about. Deleted objects have no entry. */
export interface Rights extends AccessById {
  subject: Subject
  /** Scope of each webhook, by ID. */
  hooks: ReadonlyMap<number, HookRef>
  /** Visibility of each person, by account ID. */
  people: ReadonlyMap<number, Visibility>
}

/** What decides whether a follower is in an audience: what they follow, and their access to what the signal is about. */
interface Follower {
  topic: Topic['topic']
  signal: EventSignal | Notice
  /** The organization that the signal is about; undefined for a person's account, and if it was deleted. */
  organization: ReturnType<Rights['organization']>
  /** The repository that the signal is about; undefined if there is none, and if it was deleted. */
  repository: ReturnType<Rights['repository']>
}

const isMember = ({ organization }: Follower): boolean =>
  organization !== undefined && (organization.isMember || organization.mayManage)
const isOwner = ({ organization }: Follower): boolean => organization?.mayManage ?? false
const isAdministrator = ({ repository }: Follower): boolean =>
  repository !== undefined && atLeast(repository.mode, 'admin')
const hasUnit = ({ repository }: Follower, unit: Unit, mode: AccessMode = 'read'): boolean =>
  repository !== undefined && atLeast(repository.units[unit].mode, mode)

// What the page of a person shows of their account.
const onProfile: ReadonlySet<string> = new Set(['user.edited', 'user.renamed'])

/** Who is notified, by the name that `audiences` uses. Only the person themselves can follow the topics `account` and `notifications`. */
const isInAudience = {
  // The person, and for changes of the profile everyone who follows it.
  self: ({ topic, signal }) => topic === 'account' || (topic === 'person' && onProfile.has(signal.kind)),
  // The person whose notifications they are.
  recipient: ({ topic }) => topic === 'notifications',
  // The person, or the members of the organization.
  accountOrMembers: follower =>
    follower.topic === 'account' || follower.topic === 'notifications' || isMember(follower),
  // The person, or the owners of the organization.
  accountOrOwners: follower => follower.topic === 'account' || isOwner(follower),
  // Everyone who can see the organization.
  organization: ({ organization }) => organization?.visible ?? false,
  members: isMember,
  // Everyone who can see the repository.
  repository: ({ repository }) => repository !== undefined && maySeeRepository(repository),
  // Everyone who can read this part of the repository.
  code: follower => hasUnit(follower, 'repo.code'),
  runs: follower => hasUnit(follower, 'repo.actions'),
  // Drafts are only for those who can write releases.
  releases: follower => {
    const { signal } = follower
    const isDraft = signal.kind === 'release.changed' && signal.isDraft
    return hasUnit(follower, 'repo.releases', isDraft ? 'write' : 'read')
  },
  administrators: isAdministrator,
  // Everyone who can manage the webhooks, variables, runners and keys of what they follow.
  managers: follower => {
    if (follower.topic === 'organization') return isOwner(follower)
    if (follower.topic === 'repository') return isAdministrator(follower)
    return follower.topic === 'account' || follower.topic === 'hook'
  },
} satisfies Record<string, (follower: Follower) => boolean>

type Audience = keyof typeof isInAudience

/** The audience of each kind of event and notice. A new kind does not compile without one. */
const audiences: Readonly<
  Record<
    Exclude<EventKind | Notice['kind'], 'hook.delivery_changed' | 'jobs.queued' | 'calls.waiting'>,
    Audience
  >
> = {
  'user.created': 'self',
  'user.edited': 'self',
  'user.renamed': 'self',
  'user.deleted': 'self',
  'user.blocked': 'self',
  'user.unblocked': 'self',
  'password.changed': 'self',
  'session.opened': 'self',
  'session.ended': 'self',
  'token.created': 'self',
  'token.removed': 'self',
  'key.added': 'self',
  'key.removed': 'self',
  'account.revoked': 'self',
  'events.exported': 'self',
  'org.created': 'organization',
  'org.edited': 'organization',
  'org.renamed': 'organization',
  'org.deleted': 'organization',
  'org.member_added': 'members',
  'org.member_removed': 'members',
  'org.member_published': 'members',
  'org.member_concealed': 'members',
  'team.created': 'members',
  'team.edited': 'members',
  'team.deleted': 'members',
  'team.member_added': 'members',
  'team.member_removed': 'members',
  'team.repository_added': 'members',
  'team.repository_removed': 'members',
  'repository.created': 'repository',
  'repository.edited': 'repository',
  'repository.transfer_requested': 'repository',
  'repository.transfer_canceled': 'repository',
  'repository.transfer_declined': 'repository',
  'repository.transferred': 'repository',
  'repository.given_away': 'accountOrMembers',
  'transfer.changed': 'accountOrMembers',
  'notifications.changed': 'recipient',
  // Who could see it can no longer be checked.
  'repository.deleted': 'accountOrOwners',
  'collaborator.added': 'administrators',
  'collaborator.removed': 'administrators',
  'deploy_key.added': 'administrators',
  'deploy_key.removed': 'administrators',
  'hook.added': 'accountOrOwners',
  'hook.edited': 'accountOrOwners',
  'hook.disabled': 'accountOrOwners',
  'hook.removed': 'accountOrOwners',
  'secret.added': 'accountOrOwners',
  'secret.edited': 'accountOrOwners',
  'secret.removed': 'accountOrOwners',
  'variable.added': 'accountOrOwners',
  'variable.edited': 'accountOrOwners',
  'variable.removed': 'accountOrOwners',
  'permissions.edited': 'accountOrOwners',
  'runner.registered': 'accountOrOwners',
  'runner.edited': 'accountOrOwners',
  'runner.disabled': 'accountOrOwners',
  'runner.enabled': 'accountOrOwners',
  'runner.deleted': 'accountOrOwners',
  'runner.token_reset': 'accountOrOwners',
  'git.pushed': 'code',
  'ref.created': 'code',
  'ref.deleted': 'code',
  'refs.changed': 'code',
  'release.published': 'releases',
  'release.updated': 'releases',
  'release.unpublished': 'releases',
  'release.deleted': 'releases',
  'release.changed': 'releases',
  'status.created': 'code',
  'status.changed': 'code',
  'run.created': 'runs',
  'run.retried': 'runs',
  'run.started': 'runs',
  'workflow.enabled': 'runs',
  'workflow.disabled': 'runs',
  'run.deleted': 'runs',
  'job.blocked': 'runs',
  'job.queued': 'runs',
  'job.started': 'runs',
  'job.completed': 'runs',
  'run.completed': 'runs',
  'run.changed': 'runs',
  'log.appended': 'runs',
  'hook.changed': 'managers',
  'variables.changed': 'managers',
  'runner.changed': 'managers',
  'event.considered': 'managers',
  'key.used': 'managers',
}

/** Whether the viewer can follow the topic. */
export function mayFollow(topic: Topic, rights: Rights): boolean {
  switch (topic.topic) {
    case 'account':
    case 'notifications':
      return rights.subject.kind === 'user'
    case 'site':
      return rights.subject.kind === 'user' && rights.subject.isAdmin
    case 'organization':
      return rights.organization(topic.id)?.visible ?? false
    case 'person': {
      const visibility = rights.people.get(topic.id)
      return visibility !== undefined && maySeePerson(rights.subject, { id: topic.id, visibility })
    }
    case 'repository': {
      const access = rights.repository(topic.id)
      return access !== undefined && maySeeRepository(access)
    }
    case 'statuses': {
      const access = rights.repository(topic.id)
      return access !== undefined && atLeast(access.units['repo.code'].mode, 'read')
    }
    case 'run':
    case 'runs': {
      const access = rights.repository(topic.topic === 'run' ? topic.repository : topic.id)
      return access !== undefined && atLeast(access.units['repo.actions'].mode, 'read')
    }
    case 'hook':
      return mayManageHook(rights.hooks.get(topic.id), rights)
  }
}

// The same rule as in `loadScope`.
function mayManageHook(hook: HookRef | undefined, { subject, organization, repository }: Rights): boolean {
  if (subject.kind === 'anonymous' || !hook) return false
  switch (hook.scope) {
    case 'owner':
      if (hook.ownerId === null) return false
      return hook.ownerId === subject.id || (organization(hook.ownerId)?.mayManage ?? false)
    case 'repository': {
      const access = hook.repositoryId === null ? undefined : repository(hook.repositoryId)
      return access !== undefined && atLeast(access.mode, 'admin')
    }
    case 'system':
    case 'default':
      return subject.isAdmin
  }
}

/** Whether someone who follows the topic can receive this signal. */
export function canReceive(topic: Topic, signal: EventSignal | Notice, rights: Rights): boolean {
  // For runners and workers; pages are notified of the run.
  if (signal.kind === 'jobs.queued' || signal.kind === 'calls.waiting') return false
  // Administrators can see everything.
  if (topic.topic === 'site') return true
  // The topic is one webhook, and its followers manage it.
  if (signal.kind === 'hook.delivery_changed') return topic.topic === 'hook'
  // Everyone is notified of the access that they themselves were granted or lost.
  if (rights.subject.kind === 'user' && concernsAccessOf(rights.subject.id, signal)) return true
  const ownerId = 'ownerId' in signal ? signal.ownerId : null
  return isInAudience[audiences[signal.kind]]({
    topic: topic.topic,
    signal,
    organization: ownerId === null ? undefined : rights.organization(ownerId),
    repository: signal.repositoryId === null ? undefined : rights.repository(signal.repositoryId),
  })
}
