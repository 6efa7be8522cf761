import type { Unit } from '@/server/access/units'
import type { AccessExplanation } from '@/server/repos/schema'

type UnitAccess = AccessExplanation['units'][number]

/** Parts of a repository on which somebody has the same rights for the same reasons. */
export type AccessGroup = Omit<UnitAccess, 'unit'> & { units: [Unit, ...Unit[]] }

/** Puts together the parts that need no telling apart, in the order of their first. */
export function groupByAccess(accesses: readonly UnitAccess[]): AccessGroup[] {
  const groups = new Map<string, AccessGroup>()
  for (const { unit, mode, reasons } of accesses) {
    const key = JSON.stringify([mode, reasons])
    const group = groups.get(key)
    if (group) group.units.push(unit)
    else groups.set(key, { units: [unit], mode, reasons })
  }
  return [...groups.values()]
}
