import { type AccessMode, atLeast, lowest, teamModeExpected } from '@/server/access/access-mode'
import { everyUnit, highestOf, type Unit, units } from '@/server/access/units'
import { conflict, DomainError, unprocessable } from '@/server/kernel/errors'

export type TeamUnits = Partial<Record<Unit, AccessMode>>

/**
 * Permissions of a team on repositories. Below `admin`, each unit (a repository feature, such as code or
 * issues) has its own access mode; from `admin` up, `mode` applies to every unit.
 */
export interface TeamAccess {
  mode: AccessMode
  units: TeamUnits
}

/** Access mode in a request; empty or null if not specified. Only the Owners team has `owner`. */
export type ModeName = AccessMode | '' | null

/** Permission fields of requests that create or change a team. */
export interface TeamPermissionInput {
  permission?: ModeName | undefined
  units?: readonly string[] | undefined
  units_map?: Readonly<Record<string, ModeName>> | undefined
}

/**
 * Computes the permissions of a new team from the request. An empty mode grants nothing.
 * @throws {DomainError} unprocessable if a unit is unknown or the mode is `owner`; internal, as the API
 * contract requires, if the team has less than admin permission and no units.
 */
export function createdAccess(input: TeamPermissionInput): TeamAccess {
  const mode = grantable(input.permission, 'permission') ?? 'none'
  const selected = selectedUnits(mode, input, everyUnit('none'))
  if (mode === 'admin') return { mode, units: everyUnit('admin') }
  if (!selected) throw new DomainError('internal', 'units permission should not be empty', { field: 'units' })
  return { mode, units: selected }
}

/**
 * Computes a team's permissions after an edit. Absent and empty fields keep their value, and the permissions
 * of the Owners team never change.
 * @throws {DomainError} unprocessable if a unit is unknown, or the mode is `owner` for any team other than
 * the Owners team.
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

/**
 * Returns a team's effective access mode for each unit (a repository feature, such as code or issues): the
 * team's mode if it is `admin` or higher, otherwise the stored modes.
 */
export function unitsOf({ mode, units: stored }: TeamAccess): TeamUnits {
  return atLeast(mode, 'admin') ? everyUnit(mode) : stored
}

/**
 * Checks that the team's current permissions equal the ones that the caller read.
 * @throws {DomainError} conflict if they differ.
 */
export function requireExpected(
  current: TeamAccess,
  expected: { permission: AccessMode; units_map: TeamUnits },
): void {
  const now = unitsOf(current)
  const then = unitsOf({ mode: expected.permission, units: expected.units_map })
  const isSame = (unit: Unit): boolean => (now[unit] ?? 'none') === (then[unit] ?? 'none')
  if (current.mode === expected.permission && units.every(isSame)) return
  throw conflict("the team's permissions have changed since they were loaded; review them and try again", {
    reason: { code: 'changedMeanwhile', what: 'permissions' },
  })
}

/**
 * Returns the units (repository features, such as code or issues) for which a team has a stored access mode,
 * including `none`, in their standard order.
 */
export function namedUnits(modes: TeamUnits): Unit[] {
  return units.filter(unit => modes[unit] !== undefined)
}

// Admin on each unit came from the team's former `admin` mode and must not outlive that mode.
function keptUnits(current: TeamAccess, mode: AccessMode): TeamUnits {
  return current.mode === 'admin' ? everyUnit(mode) : current.units
}

// `kept` has the modes of units that `units_map` lists with an empty value.
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
  throw unprocessable(`only the Owners team can have owner: ${teamModeExpected}`, { field })
}

function parseUnit(key: string, field: string): Unit {
  const unit = units.find(known => known === key.toLowerCase())
  if (!unit) throw unprocessable(`unknown unit [${key}]; the units are ${units.join(', ')}`, { field })
  return unit
}

/**
 * Returns whether a team includes all repositories of its organization after an edit. As the API contract
 * requires, the flag changes only if the request also sets the permission, and never for the Owners team.
 */
export function includesAllAfter(
  team: { is_owners: boolean; includes_all_repositories: boolean },
  edit: { permission?: string | undefined; includes_all_repositories?: boolean | undefined },
): boolean {
  if (team.is_owners || !edit.permission) return team.includes_all_repositories
  return edit.includes_all_repositories ?? team.includes_all_repositories
}
