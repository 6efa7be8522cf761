import { decideRepositoryAccess, type RepositoryFacts, type Subject, type TeamGrant } from '@/server/access'
import { type AccessMode, atLeast } from '@/server/access/access-mode'
import { type Unit, type UnitChange, units } from '@/server/access/units'
import { type TeamAccess, unitsOf } from './access'

/** Change of one person's access to a unit, with the names of the affected repositories. */
interface MemberChange extends UnitChange {
  repositories: string[]
}

/** A change to a team's permissions that is not saved yet, with the repositories that it can affect. */
export interface Edit {
  team: { id: number; name: string }
  before: TeamAccess
  after: TeamAccess
  owner: RepositoryFacts['owner']
  repositories: readonly EditedRepository[]
}

export interface EditedRepository {
  id: number
  name: string
  isPrivate: boolean
  /** IDs of all teams that have the repository before the edit. */
  teamIds: ReadonlySet<number>
  /** Whether the edited team has the repository after the edit. */
  attachedAfter: boolean
}

/**
 * A member of a team whose permissions are edited, with the member's access from other teams, direct
 * collaborations, and ownership of the organization.
 */
export interface EditedMember {
  subject: Subject
  isOrganizationOwner: boolean
  /** The member's teams other than the edited one. */
  teams: readonly TeamGrant[]
  /** Access modes of the member's direct collaborations, by repository ID. */
  collaborations: ReadonlyMap<number, AccessMode>
}

/**
 * Lists the units (repository features, such as code or issues) for which an edit changes a team's access
 * mode.
 */
export function teamChanges(before: TeamAccess, after: TeamAccess): UnitChange[] {
  const [had, has] = [unitsOf(before), unitsOf(after)]
  return differences(
    unit => had[unit] ?? 'none',
    unit => has[unit] ?? 'none',
  )
}

/**
 * Lists how an edit of a team's permissions changes one member's access to each unit (a repository feature,
 * such as code or issues), with the names of the affected repositories. Takes access from other sources, such
 * as other teams and direct collaborations, into account. Evaluates repositories with the same grants only
 * once.
 */
export function memberChanges(edit: Edit, member: EditedMember): MemberChange[] {
  const decided = new Map<string, UnitChange[]>()
  const found = new Map<string, MemberChange>()
  for (const repository of edit.repositories) {
    const others = member.teams.filter(grant => repository.teamIds.has(grant.team.id))
    const key = [
      repository.isPrivate,
      repository.teamIds.has(edit.team.id),
      repository.attachedAfter,
      member.collaborations.get(repository.id) ?? '',
      ...others.map(grant => grant.team.id),
    ].join(' ')
    const changes = decided.get(key) ?? changesOn(edit, member, repository, others)
    decided.set(key, changes)
    for (const change of changes) note(found, change, repository.name)
  }
  return [...found.values()].sort(byUnit)
}

function changesOn(
  edit: Edit,
  member: EditedMember,
  repository: EditedRepository,
  others: readonly TeamGrant[],
): UnitChange[] {
  const attachedBefore = repository.teamIds.has(edit.team.id)
  const decide = (access: TeamAccess, attached: boolean) =>
    decideRepositoryAccess(member.subject, {
      isPrivate: repository.isPrivate,
      owner: edit.owner,
      isMember: true,
      isOrganizationOwner: member.isOrganizationOwner,
      teams: attached ? [...others, { team: edit.team, ...access }] : others,
      collaborator: member.collaborations.get(repository.id),
    })
  const before = decide(edit.before, attachedBefore)
  const after = decide(edit.after, repository.attachedAfter)
  return differences(
    unit => before.units[unit].mode,
    unit => after.units[unit].mode,
  )
}

function differences(before: (unit: Unit) => AccessMode, after: (unit: Unit) => AccessMode): UnitChange[] {
  return units
    .map(unit => ({ unit, before: before(unit), after: after(unit) }))
    .filter(change => change.before !== change.after)
}

function note(found: Map<string, MemberChange>, change: UnitChange, repository: string): void {
  const key = `${change.unit} ${change.before} ${change.after}`
  const known = found.get(key)
  if (known) known.repositories.push(repository)
  else found.set(key, { ...change, repositories: [repository] })
}

function byUnit(first: UnitChange, second: UnitChange): number {
  if (first.unit !== second.unit) return units.indexOf(first.unit) - units.indexOf(second.unit)
  return atLeast(first.before, second.before) ? -1 : 1
}
