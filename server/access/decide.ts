import type { Visibility } from '@/db/tables/users'
import { type AccessMode, atLeast, highest, lowest } from './access-mode'
import { highestOf, perUnit, type Unit, type UnitModes, units } from './units'

/** A deploy key as the subject of an access decision, with the time at which its expiration is checked. */
export interface DeployKeySubject {
  id: number
  asOf: Date
}

/** A workflow job as the subject of an access decision. */
export interface JobSubject {
  repositoryId: number
  /** What the job's token is allowed in that repository; `none` for all other units. */
  units: Partial<UnitModes>
  /** What its token is allowed for commit statuses, which are not a unit; by default nothing. */
  statuses?: AccessMode
  /** The person whose access limits the token; null if no person's does. */
  actor: Person | null
}

type Person = { kind: 'user'; id: number; isAdmin: boolean; isRestricted: boolean; publicOnly: boolean }

/**
 * The user, workflow job, deploy key or anonymous visitor whose access is decided, with the properties that
 * the access rules consider.
 */
export type Subject =
  /**
   * No account: a visitor; a job, which can also use the repository that it belongs to; or a deploy key,
   * which can also reach the code of the repositories that it was added to.
   */
  { kind: 'anonymous'; job?: JobSubject; deployKey?: DeployKeySubject } | Person

export interface TeamGrant {
  team: { id: number; name: string }
  mode: AccessMode
  /** Modes per unit. They apply to teams below admin; an admin or owner team has its mode on every unit. */
  units: Partial<Record<Unit, AccessMode>>
}

/**
 * The input of an access decision: the properties of a repository and its owner, and the subject's roles and
 * grants.
 */
export interface RepositoryFacts {
  isPrivate: boolean
  /**
   * If the subject is a job of this repository: what its token is allowed, and the access of the person who
   * limits it, or null if no person does.
   */
  job?: (Pick<JobSubject, 'units' | 'statuses'> & { limit: RepositoryAccess | null }) | undefined
  /** Mode that the subject has on the code if it is a deploy key of this repository. */
  deployKey?: AccessMode | undefined
  owner: { id: number; visibility: Visibility; isOrganization: boolean }
  /** Whether the subject is a member of the organization that owns the repository. */
  isMember: boolean
  isOrganizationOwner: boolean
  teams: readonly TeamGrant[]
  collaborator: AccessMode | undefined
}

/** A source of access to a repository, such as a team or ownership, with the access mode that it grants. */
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
  /**
   * Mode on the repository as a whole. Admin and owner can manage it; below that, the modes of the units
   * apply.
   */
  mode: AccessMode
  units: Record<Unit, { mode: AccessMode; reasons: readonly Reason[] }>
  /** For a job: whether it belongs to this repository, or to another one. */
  ofJob?: 'own' | 'other'
  /** For a job of this repository: mode on commit statuses, which others have with the code. */
  statuses?: AccessMode
}

/**
 * Decides the subject's access to a repository: for each unit, such as code or releases, the highest access
 * mode that any source grants, with the reasons. A token that is limited to public data has no access to
 * non-public repositories, regardless of who owns it.
 */
export function decideRepositoryAccess(subject: Subject, facts: RepositoryFacts): RepositoryAccess {
  const hidden = subject.kind === 'user' && subject.publicOnly && !isOpenToAll(facts)
  const reasons = hidden ? [] : reasonsOf(subject, facts)
  const isJob = subject.kind === 'anonymous' && subject.job !== undefined
  return {
    ...(isJob && { ofJob: facts.job ? 'own' : 'other' }),
    ...(facts.job && { statuses: statusesOfJob(facts.job) }),
    mode: highest(reasons.map(({ reason }) => reason.mode)),
    units: perUnit(unit => {
      const here = reasons.map(({ on, reason }) => ({ ...reason, mode: lowest(on(unit), highestOf(unit)) }))
      const granting = here.filter(reason => reason.mode !== 'none').sort(byMode)
      return { mode: granting[0]?.mode ?? 'none', reasons: granting }
    }),
  }
}

/** Returns whether the subject can know that the repository exists. */
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
  if (facts.job) grants.push(grantOfJob(facts.job))
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

// A job can know that its repository exists even if its token cannot read any unit, so that it is told which
// permission it needs.
function grantOfJob({ units: allowed, limit }: NonNullable<RepositoryFacts['job']>): Grant {
  const isSeen = limit === null || maySeeRepository(limit)
  return {
    reason: { source: 'job', mode: isSeen ? 'read' : 'none' },
    on: unit => lowest(allowed[unit] ?? 'none', limit ? limit.units[unit].mode : 'owner'),
  }
}

const statusesOfJob = ({ statuses, limit }: NonNullable<RepositoryFacts['job']>): AccessMode =>
  lowest(statuses ?? 'none', limit ? limit.units['repo.code'].mode : 'owner')

const grantOfDeployKey = (mode: AccessMode): Grant => ({
  reason: { source: 'deployKey', mode: 'none' },
  on: unit => (unit === 'repo.code' ? mode : 'none'),
})

const isOpenToAll = ({ isPrivate, owner }: RepositoryFacts): boolean =>
  !isPrivate && owner.visibility === 'public'

// Restricted accounts see what they were granted and what visitors without an account can see, but not what is
// open to all signed-in users.
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
