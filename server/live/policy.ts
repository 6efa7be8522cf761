import type { Visibility } from '@/db/tables/users'
import { type AccessById, maySeePerson, maySeeRepository, type Subject } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import type { EventKind, EventSignal, Notice } from '@/server/events'
import { concernsAccessOf } from './losses'
import type { Topic } from './schema'
import type { HookRef } from './store'

/** The viewer's permissions on everything that some signals are about. Missing entries do not exist. */
export interface Rights extends AccessById {
  subject: Subject
  /** The scope of each hook. */
  hooks: ReadonlyMap<number, HookRef>
  /** Whom each person is shown to. */
  people: ReadonlyMap<number, Visibility>
}

/**
 * Who is notified, besides the owner of the account: everyone who can see the organization, its members, or its
 * owners; everyone who can see the repository, read its code, releases or runs, write releases, or administer it; or
 * those who manage the hooks and runners of the topic. `house` is the account itself, or the members of the organization.
 */
type Audience =
  | 'self'
  | 'house'
  | 'organization'
  | 'members'
  | 'owners'
  | 'repository'
  | 'code'
  | 'releases'
  | 'runs'
  | 'administrators'
  | 'managers'

// What the page of a person shows of it.
const ofProfile: ReadonlySet<string> = new Set(['user.edited', 'user.renamed'])

// No default, so that a new kind without an audience does not compile.
const audiences: Readonly<
  Record<Exclude<EventKind | Notice['kind'], 'hook.delivery_changed' | 'jobs.queued'>, Audience>
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
  'repository.given_away': 'house',
  'transfer.changed': 'house',
  // It is too late to check who could see it.
  'repository.deleted': 'owners',
  'collaborator.added': 'administrators',
  'collaborator.removed': 'administrators',
  'deploy_key.added': 'administrators',
  'deploy_key.removed': 'administrators',
  'hook.added': 'owners',
  'hook.edited': 'owners',
  'hook.disabled': 'owners',
  'hook.removed': 'owners',
  'secret.added': 'owners',
  'secret.edited': 'owners',
  'secret.removed': 'owners',
  'variable.added': 'owners',
  'variable.edited': 'owners',
  'variable.removed': 'owners',
  'runner.registered': 'owners',
  'runner.edited': 'owners',
  'runner.disabled': 'owners',
  'runner.enabled': 'owners',
  'runner.deleted': 'owners',
  'runner.token_reset': 'owners',
  'git.pushed': 'code',
  'ref.created': 'code',
  'ref.deleted': 'code',
  'refs.changed': 'code',
  'release.published': 'releases',
  'release.updated': 'releases',
  'release.deleted': 'releases',
  'release.changed': 'releases',
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

/** Whether the viewer may follow the topic. */
export function mayFollow(topic: Topic, rights: Rights): boolean {
  switch (topic.topic) {
    case 'account':
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

/** Whether a viewer who follows the topic may receive this signal. */
export function canReceive(topic: Topic, signal: EventSignal | Notice, rights: Rights): boolean {
  // It is for runners; pages are told of the run.
  if (signal.kind === 'jobs.queued') return false
  // Administrators may see everything.
  if (topic.topic === 'site') return true
  // The topic is a single hook, and its followers manage it.
  if (signal.kind === 'hook.delivery_changed') return topic.topic === 'hook'
  // What they were given or lost is theirs to know.
  if (rights.subject.kind === 'user' && concernsAccessOf(rights.subject.id, signal)) return true
  const audience = audiences[signal.kind]
  const ownerId = 'ownerId' in signal ? signal.ownerId : null
  const organization = ownerId === null ? undefined : rights.organization(ownerId)
  const repository = signal.repositoryId === null ? undefined : rights.repository(signal.repositoryId)
  switch (audience) {
    case 'self':
      return topic.topic === 'account' || (topic.topic === 'person' && ofProfile.has(signal.kind))
    case 'organization':
      return organization?.visible ?? false
    case 'members':
      return isInside(organization)
    case 'house':
      return topic.topic === 'account' || isInside(organization)
    case 'owners':
      return topic.topic === 'account' || (organization?.mayManage ?? false)
    case 'repository':
      return repository !== undefined && maySeeRepository(repository)
    case 'code':
      return repository !== undefined && atLeast(repository.units['repo.code'].mode, 'read')
    case 'releases': {
      const isDraft = signal.kind === 'release.changed' && signal.isDraft
      return (
        repository !== undefined &&
        atLeast(repository.units['repo.releases'].mode, isDraft ? 'write' : 'read')
      )
    }
    case 'runs':
      return repository !== undefined && atLeast(repository.units['repo.actions'].mode, 'read')
    case 'administrators':
      return repository !== undefined && atLeast(repository.mode, 'admin')
    case 'managers':
      if (topic.topic === 'organization') return organization?.mayManage ?? false
      if (topic.topic === 'repository') return repository !== undefined && atLeast(repository.mode, 'admin')
      return topic.topic === 'account' || topic.topic === 'hook'
  }
}

const isInside = (organization: ReturnType<Rights['organization']>): boolean =>
  organization !== undefined && (organization.isMember || organization.mayManage)
