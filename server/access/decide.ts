import type { Visibility } from '@/db/tables/users'
import { type AccessMode, atLeast, highest, lowest } from './access-mode'
import { highestOf, perUnit, type Unit, units } from './units'

/** A deploy key, with the time at which it must still be good. */
export interface DeployKeySubject {
  id: number
  asOf: Date
}

/** The one who acts, with what the rules look at. */
export type Subject =
  /**
   * Nobody; a job, which also reads the repository that it belongs to; or a deploy key, which also reaches the code of the
   * repositories that it was added to.
   */
  | { kind: 'anonymous'; jobOf?: number; deployKey?: DeployKeySubject }
  | { kind: 'user'; id: number; isAdmin: boolean; isRestricted: boolean; publicOnly: boolean }

export interface TeamGrant {
  team: { id: number; name: string }
  mode: AccessMode
  /** Counts below admin; an admin or owner team has its mode on every unit. */
  units: Partial<Record<Unit, AccessMode>>
}

/** All that a decision about one repository rests on. */
export interface RepositoryFacts {
  isPrivate: boolean
  /** The subject is a job of it. */
  isOfJob?: boolean
  /** What the subject may do with the code, if it is a deploy key of it. */
  deployKey?: AccessMode | undefined
  owner: { id: number; visibility: Visibility; isOrganization: boolean }
  /** The subject's part in the organization that owns it. */
  isMember: boolean
  isOrganizationOwner: boolean
  teams: readonly TeamGrant[]
  collaborator: AccessMode | undefined
}

/** One source of a right, with the mode it gives. */
export type Reason =
  | { source: 'siteAdmin'; mode: AccessMode }
  | { source: 'owner'; mode: AccessMode }
  | { source: 'organizationOwner'; mode: AccessMode }
  | { source: 'team'; mode: AccessMode; team: { id: number; name: string } }
  | { source: 'collaborator'; mode: AccessMode }
  | { source: 'job'; mode: AccessMode }
  | { source: 'deployKey'; mode: AccessMode }
  | { source: 'public'; mode: AccessMode }

export interface RepositoryAccess {
  /** Over the whole repository: admin and owner manage it, below that the units count. */
  mode: AccessMode
  units: Record<Unit, { mode: AccessMode; reasons: readonly Reason[] }>
}

/**
 * Decides what somebody may do on each unit of a repository, and why: the highest of all that applies.
 * A token limited to public data sees nothing of what is not public, whoever holds it.
 */
export function decideRepositoryAccess(subject: Subject, facts: RepositoryFacts): RepositoryAccess {
  const hidden = subject.kind === 'user' && subject.publicOnly && !isOpenToAll(facts)
  const reasons = hidden ? [] : reasonsOf(subject, facts)
  return {
    mode: highest(reasons.map(({ reason }) => reason.mode)),
    units: perUnit(unit => {
      const here = reasons.map(({ on, reason }) => ({ ...reason, mode: lowest(on(unit), highestOf(unit)) }))
      const granting = here.filter(reason => reason.mode !== 'none').sort(byMode)
      return { mode: granting[0]?.mode ?? 'none', reasons: granting }
    }),
  }
}

/** True if the subject may know that the repository exists. */
export function maySeeRepository(access: RepositoryAccess): boolean {
  return access.mode !== 'none' || units.some(unit => access.units[unit].mode !== 'none')
}

interface Grant {
  reason: Reason
  on(unit: Unit): AccessMode
}

function reasonsOf(subject: Subject, facts: RepositoryFacts): Grant[] {
  const grants: Grant[] = []
  const everywhere = (reason: Reason) => grants.push({ reason, on: () => reason.mode })
  if (subject.kind === 'user') {
    if (subject.isAdmin) everywhere({ source: 'siteAdmin', mode: 'owner' })
    if (!facts.owner.isOrganization && facts.owner.id === subject.id)
      everywhere({ source: 'owner', mode: 'owner' })
    if (facts.isOrganizationOwner) everywhere({ source: 'organizationOwner', mode: 'owner' })
    for (const team of facts.teams) grants.push(grantOfTeam(team))
    if (facts.collaborator) everywhere({ source: 'collaborator', mode: facts.collaborator })
  }
  if (facts.isOfJob) everywhere({ source: 'job', mode: 'read' })
  if (facts.deployKey) grants.push(grantOfDeployKey(facts.deployKey))
  if (isPublicFor(subject, facts)) everywhere({ source: 'public', mode: 'read' })
  return grants
}

function grantOfTeam({ team, mode, units: granted }: TeamGrant): Grant {
  const whole = atLeast(mode, 'admin')
  const overall = whole ? mode : 'none'
  return {
    reason: { source: 'team', mode: overall, team },
    on: unit => (whole ? mode : (granted[unit] ?? 'none')),
  }
}

const grantOfDeployKey = (mode: AccessMode): Grant => ({
  reason: { source: 'deployKey', mode: 'none' },
  on: unit => (unit === 'repo.code' ? mode : 'none'),
})

const isOpenToAll = ({ isPrivate, owner }: RepositoryFacts): boolean =>
  !isPrivate && owner.visibility === 'public'

// Restricted people see what they were given and what is open without an account, not what is open to everybody with one.
function isPublicFor(subject: Subject, facts: RepositoryFacts): boolean {
  if (isOpenToAll(facts)) return true
  if (facts.isPrivate || subject.kind === 'anonymous') return false
  if (facts.isMember) return true
  return !subject.isRestricted && facts.owner.visibility !== 'private'
}

function byMode(first: Reason, second: Reason): number {
  if (first.mode === second.mode) return 0
  return atLeast(first.mode, second.mode) ? -1 : 1
}
