import type { Visibility } from '@/db/tables/users'
import { type AccessMode, atLeast, highest, lowest } from './access-mode'
import { highestOf, perUnit, type Unit, units } from './units'

/** Who asks, as far as it matters here. */
export type Asker =
  | { kind: 'anonymous' }
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
  owner: { id: number; visibility: Visibility; isOrganization: boolean }
  /** The asker's part in the organization that owns it. */
  isMember: boolean
  isOrganizationOwner: boolean
  teams: readonly TeamGrant[]
  collaborator: AccessMode | undefined
}

/** One ground for a right, with the mode it gives. */
export type Reason =
  | { source: 'siteAdmin'; mode: AccessMode }
  | { source: 'owner'; mode: AccessMode }
  | { source: 'organizationOwner'; mode: AccessMode }
  | { source: 'team'; mode: AccessMode; team: { id: number; name: string } }
  | { source: 'collaborator'; mode: AccessMode }
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
export function decideRepositoryAccess(asker: Asker, facts: RepositoryFacts): RepositoryAccess {
  const hidden = asker.kind === 'user' && asker.publicOnly && !isOpenToAll(facts)
  const reasons = hidden ? [] : reasonsOf(asker, facts)
  return {
    mode: highest(reasons.map(({ reason }) => reason.mode)),
    units: perUnit(unit => {
      const here = reasons.map(({ on, reason }) => ({ ...reason, mode: lowest(on(unit), highestOf(unit)) }))
      const granting = here.filter(reason => reason.mode !== 'none').sort(byMode)
      return { mode: granting[0]?.mode ?? 'none', reasons: granting }
    }),
  }
}

/** Is there anything about this repository the asker may know? */
export function maySeeRepository(access: RepositoryAccess): boolean {
  return access.mode !== 'none' || units.some(unit => access.units[unit].mode !== 'none')
}

interface Ground {
  reason: Reason
  on(unit: Unit): AccessMode
}

function reasonsOf(asker: Asker, facts: RepositoryFacts): Ground[] {
  const grounds: Ground[] = []
  const everywhere = (reason: Reason) => grounds.push({ reason, on: () => reason.mode })
  if (asker.kind === 'user') {
    if (asker.isAdmin) everywhere({ source: 'siteAdmin', mode: 'owner' })
    if (!facts.owner.isOrganization && facts.owner.id === asker.id)
      everywhere({ source: 'owner', mode: 'owner' })
    if (facts.isOrganizationOwner) everywhere({ source: 'organizationOwner', mode: 'owner' })
    for (const grant of facts.teams) grounds.push(teamGround(grant))
    if (facts.collaborator) everywhere({ source: 'collaborator', mode: facts.collaborator })
  }
  if (isPublicFor(asker, facts)) everywhere({ source: 'public', mode: 'read' })
  return grounds
}

function teamGround({ team, mode, units: given }: TeamGrant): Ground {
  const whole = atLeast(mode, 'admin')
  const overall = whole ? mode : 'none'
  return {
    reason: { source: 'team', mode: overall, team },
    on: unit => (whole ? mode : (given[unit] ?? 'none')),
  }
}

const isOpenToAll = ({ isPrivate, owner }: RepositoryFacts): boolean =>
  !isPrivate && owner.visibility === 'public'

// Restricted people see what they were given, not what is open to everybody else.
function isPublicFor(asker: Asker, facts: RepositoryFacts): boolean {
  if (facts.isPrivate) return false
  if (asker.kind === 'anonymous') return facts.owner.visibility === 'public'
  if (facts.isMember) return true
  return !asker.isRestricted && facts.owner.visibility !== 'private'
}

function byMode(first: Reason, second: Reason): number {
  if (first.mode === second.mode) return 0
  return atLeast(first.mode, second.mode) ? -1 : 1
}
