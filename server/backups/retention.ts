import type { Place } from './place/place'
import { listSnapshots, readSnapshot } from './place/snapshot'

/**
 * Removes all but the newest complete backups, and then the pieces that no backup names. Of these, only pieces
 * that were there before the last backup started are removed. Returns the number of removed backups.
 */
export async function removeExpired(
  place: Place,
  keep: number,
  before: ReadonlyMap<string, number>,
): Promise<number> {
  const named = new Set<string>()
  const expired: string[] = []
  let complete = 0
  for (const key of await listSnapshots(place)) {
    if (complete >= keep) {
      expired.push(key)
      continue
    }
    const { faults } = await readSnapshot(place, key, ({ piece }) => named.add(piece))
    if (faults === 0) complete++
  }
  for (const key of expired) await place.snapshots.delete(key)
  for (const piece of before.keys()) if (!named.has(piece)) await place.data.delete(piece)
  return expired.length
}
