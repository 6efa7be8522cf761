import type { Unit } from '@/db/tables/team-units'
import { type AccessMode, lowest } from './access-mode'

export type { Unit }

/** The parts of a repository that rights are given on, by their wire keys. */
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

/** What changes on one unit. */
export interface UnitChange {
  unit: Unit
  before: AccessMode
  after: AccessMode
}

/** What lies on another site can only be looked at from here. */
export function highestOf(unit: Unit): AccessMode {
  return unit === 'repo.ext_wiki' || unit === 'repo.ext_issues' ? 'read' : 'owner'
}

export function perUnit<T>(value: (unit: Unit) => T): Record<Unit, T> {
  return Object.fromEntries(units.map(unit => [unit, value(unit)])) as Record<Unit, T>
}

/** This mode on every unit, as far as each of them goes. */
export function everyUnit(mode: AccessMode): UnitModes {
  return perUnit(unit => lowest(mode, highestOf(unit)))
}
