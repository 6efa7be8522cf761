import { type AccessMode, atLeast, lowest } from '@/server/access/access-mode'
import { everyUnit, highestOf, type Unit, units } from '@/server/access/units'
import { conflict, DomainError, unprocessable } from '@/server/kernel/errors'

export type TeamUnits = Partial<Record<Unit, AccessMode>>

/** What a team may do: below admin the units count, from admin on its mode holds on every unit. */
export interface TeamAccess {
  mode: AccessMode
  units: TeamUnits
}

/** The same in the words of the wire. */
export interface AccessWords {
  permission?: string | undefined
  units?: readonly string[] | undefined
  units_map?: Readonly<Record<string, string>> | undefined
}

/** `read`, `write` and `admin` are what a team can be given; every other word gives nothing. */
export function parseMode(word: string): AccessMode {
  return word === 'read' || word === 'write' || word === 'admin' ? word : 'none'
}

/**
 * The access of a new team. Throws unprocessable for a unit that does not exist, internal when a team below admin is
 * given no unit at all: the contract answers that with 500.
 */
export function createdAccess(words: AccessWords): TeamAccess {
  const mode = parseMode(words.permission ?? '')
  const chosen = chosenUnits(mode, words)
  if (mode === 'admin') return { mode, units: everyUnit('admin') }
  if (!chosen) throw new DomainError('internal', 'units permission should not be empty', { field: 'units' })
  return { mode, units: chosen }
}

/**
 * The access of a team after an edit; what is not given stays. The owners team has all of it for good.
 * Throws unprocessable for a unit that does not exist.
 */
export function editedAccess(current: TeamAccess, words: AccessWords): TeamAccess {
  if (current.mode === 'owner') return current
  const mode = words.permission ? parseMode(words.permission) : current.mode
  const chosen = chosenUnits(mode, words)
  if (mode === 'admin') return { mode, units: everyUnit('admin') }
  return { mode, units: chosen ?? keptUnits(current, mode) }
}

/** What a team may do on each unit it has anything on, whatever is stored for one that has its mode everywhere. */
export function unitsOf({ mode, units: stored }: TeamAccess): TeamUnits {
  return atLeast(mode, 'admin') ? everyUnit(mode) : stored
}

/** Throws conflict when a team may do something else than expected: somebody has changed it since that was read. */
export function requireExpected(
  current: TeamAccess,
  expected: { permission: AccessMode; units_map: TeamUnits },
): void {
  const now = unitsOf(current)
  const then = unitsOf({ mode: expected.permission, units: expected.units_map })
  const isSame = (unit: Unit): boolean => (now[unit] ?? 'none') === (then[unit] ?? 'none')
  if (current.mode === expected.permission && units.every(isSame)) return
  throw conflict('the permissions of this team were changed meanwhile; look at them again', {
    reason: { code: 'changedMeanwhile', what: 'permissions' },
  })
}

/** The units a team was given, those it has nothing on among them, in their usual order. */
export function namedUnits(modes: TeamUnits): Unit[] {
  return units.filter(unit => modes[unit] !== undefined)
}

// Nobody chose admin on each unit of a team that was admin as a whole: it must not outlive that.
function keptUnits(current: TeamAccess, mode: AccessMode): TeamUnits {
  return current.mode === 'admin' ? everyUnit(mode) : current.units
}

function chosenUnits(mode: AccessMode, words: AccessWords): TeamUnits | undefined {
  const listed = (words.units ?? []).map(key => [parseUnit(key, 'units'), mode] as const)
  const mapped = Object.entries(words.units_map ?? {}).map(
    ([key, word]) => [parseUnit(key, 'units_map'), parseMode(word)] as const,
  )
  const chosen = mapped.length > 0 ? mapped : listed
  if (chosen.length === 0) return undefined
  return Object.fromEntries(chosen.map(([unit, given]) => [unit, lowest(given, highestOf(unit))]))
}

function parseUnit(key: string, field: string): Unit {
  const unit = units.find(known => known === key.toLowerCase())
  if (!unit) throw unprocessable(`unknown unit [${key}]; the units are ${units.join(', ')}`, { field })
  return unit
}

/**
 * Does a team include all repositories after an edit? The contract lets that change only along with the permission, and
 * never for the owners team.
 */
export function includesAllAfter(
  team: { is_owners: boolean; includes_all_repositories: boolean },
  edit: { permission?: string | undefined; includes_all_repositories?: boolean | undefined },
): boolean {
  if (team.is_owners || !edit.permission) return team.includes_all_repositories
  return edit.includes_all_repositories ?? team.includes_all_repositories
}
