import { type AccessMode, atLeast, lowest, teamModeExpected } from '@/server/access/access-mode'
import { everyUnit, highestOf, type Unit, units } from '@/server/access/units'
import { conflict, DomainError, unprocessable } from '@/server/kernel/errors'

export type TeamUnits = Partial<Record<Unit, AccessMode>>

/** What a team may do: below admin the mode of each unit, from admin on one mode on every unit. */
export interface TeamAccess {
  mode: AccessMode
  units: TeamUnits
}

/** A mode as requests name it; empty for none given. Only the Owners team has `owner`. */
export type ModeName = AccessMode | '' | null

/** What a team may do, in the fields of requests. */
export interface TeamPermissionInput {
  permission?: ModeName | undefined
  units?: readonly string[] | undefined
  units_map?: Readonly<Record<string, ModeName>> | undefined
}

/**
 * Computes the access of a new team. An empty word grants nothing.
 * @throws {DomainError} unprocessable for an unknown unit and for `owner`, internal for a team below admin without a unit:
 * the contract answers that with 500.
 */
export function createdAccess(input: TeamPermissionInput): TeamAccess {
  const mode = grantable(input.permission, 'permission') ?? 'none'
  const selected = selectedUnits(mode, input, everyUnit('none'))
  if (mode === 'admin') return { mode, units: everyUnit('admin') }
  if (!selected) throw new DomainError('internal', 'units permission should not be empty', { field: 'units' })
  return { mode, units: selected }
}

/**
 * Computes the access of a team after an edit. What is absent or empty stays; the access of the owners team never changes.
 * @throws {DomainError} unprocessable for an unknown unit, and for `owner` on any other team.
 */
export function editedAccess(current: TeamAccess, input: TeamPermissionInput): TeamAccess {
  if (current.mode === 'owner') return current
  const mode = grantable(input.permission, 'permission') ?? current.mode
  const kept = keptUnits(current, mode)
  const units_map = Object.values(input.units_map ?? {}).some(Boolean) ? input.units_map : undefined
  const selected = selectedUnits(mode, { ...input, units_map }, kept)
  if (mode === 'admin') return { mode, units: everyUnit('admin') }
  return { mode, units: selected ?? kept }
}

/** The modes that hold on each unit: from admin on one mode on all of them, whatever is stored. */
export function unitsOf({ mode, units: stored }: TeamAccess): TeamUnits {
  return atLeast(mode, 'admin') ? everyUnit(mode) : stored
}

/**
 * Checks that what a team may do is what the caller has read.
 * @throws {DomainError} conflict when somebody has changed it since.
 */
export function requireExpected(
  current: TeamAccess,
  expected: { permission: AccessMode; units_map: TeamUnits },
): void {
  const now = unitsOf(current)
  const then = unitsOf({ mode: expected.permission, units: expected.units_map })
  const isSame = (unit: Unit): boolean => (now[unit] ?? 'none') === (then[unit] ?? 'none')
  if (current.mode === expected.permission && units.every(isSame)) return
  throw conflict('the permissions of this team were changed in the meantime; look at them again', {
    reason: { code: 'changedMeanwhile', what: 'permissions' },
  })
}

/** The units that have a stored mode, `none` included, in the order of `units`. */
export function namedUnits(modes: TeamUnits): Unit[] {
  return units.filter(unit => modes[unit] !== undefined)
}

// Nobody chose admin on each unit of a team that was admin as a whole: it must not outlive that.
function keptUnits(current: TeamAccess, mode: AccessMode): TeamUnits {
  return current.mode === 'admin' ? everyUnit(mode) : current.units
}

// `kept` are the modes of units that the map names with an empty word.
function selectedUnits(mode: AccessMode, input: TeamPermissionInput, kept: TeamUnits): TeamUnits | undefined {
  const listed = (input.units ?? []).map(key => [parseUnit(key, 'units'), mode] as const)
  const mapped = Object.entries(input.units_map ?? {}).map(([key, word]) => {
    const unit = parseUnit(key, 'units_map')
    return [unit, grantable(word, 'units_map') ?? kept[unit]] as const
  })
  const selected = mapped.length > 0 ? mapped : listed
  if (selected.length === 0) return undefined
  return Object.fromEntries(
    selected.flatMap(([unit, requested]) => (requested ? [[unit, lowest(requested, highestOf(unit))]] : [])),
  )
}

function grantable(word: ModeName | undefined, field: string): AccessMode | undefined {
  if (word !== 'owner') return word || undefined
  throw unprocessable(`only the Owners team has owner: ${teamModeExpected}`, { field })
}

function parseUnit(key: string, field: string): Unit {
  const unit = units.find(known => known === key.toLowerCase())
  if (!unit) throw unprocessable(`unknown unit [${key}]; the units are ${units.join(', ')}`, { field })
  return unit
}

/**
 * Tells whether a team includes all repositories after an edit. The contract changes that only together with the
 * permission, and never for the owners team.
 */
export function includesAllAfter(
  team: { is_owners: boolean; includes_all_repositories: boolean },
  edit: { permission?: string | undefined; includes_all_repositories?: boolean | undefined },
): boolean {
  if (team.is_owners || !edit.permission) return team.includes_all_repositories
  return edit.includes_all_repositories ?? team.includes_all_repositories
}
