import type { Unit } from '@/db/tables/team-units'
import { type AccessMode, lowest } from './access-mode'

export type { Unit }

/** Units of a repository on which access is granted, by their names in the API. */
export const units = [
  'repo.code',
  'repo.issues',
  'repo.pulls',
  'repo.releases',
  'repo.wiki',
  'repo.ext_wiki',
  'repo.ext_issues',
  'repo.projects',
  'repo.packages',
  'repo.actions',
] as const satisfies readonly Unit[]
export type UnitModes = Record<Unit, AccessMode>

/** The change of an access mode on one unit of a repository. */
export interface UnitChange {
  unit: Unit
  before: AccessMode
  after: AccessMode
}

/**
 * Returns the highest access mode that a unit of a repository allows. External wikis and issue trackers are
 * on another site, so they can only be read.
 */
export function highestOf(unit: Unit): AccessMode {
  return unit === 'repo.ext_wiki' || unit === 'repo.ext_issues' ? 'read' : 'owner'
}

export function perUnit<T>(value: (unit: Unit) => T): Record<Unit, T> {
  return Object.fromEntries(units.map(unit => [unit, value(unit)])) as Record<Unit, T>
}

/** Returns a record with this mode on every unit, limited to the highest mode of each unit. */
export function everyUnit(mode: AccessMode): UnitModes {
  return perUnit(unit => lowest(mode, highestOf(unit)))
}
