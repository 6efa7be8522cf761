import type { BackupLocation } from './location/location'
import { listSnapshots, readSnapshot } from './location/snapshot'

/**
 * Removes all but the newest complete backups, and then the pieces that no backup names. Of these, only pieces
 * that were there before the last backup started are removed. Returns the number of removed backups.
 */
export async function removeExpired(
  location: BackupLocation,
  keep: number,
  before: ReadonlyMap<string, number>,
): Promise<number> {
  const named = new Set<string>()
  const expired: string[] = []
  let complete = 0
  for (const key of await listSnapshots(location)) {
    if (complete >= keep) {
      expired.push(key)
      continue
    }
    const { faults } = await readSnapshot(location, key, ({ piece }) => named.add(piece))
    if (faults === 0) complete++
  }
  for (const key of expired) await location.snapshots.delete(key)
  for (const piece of before.keys()) if (!named.has(piece)) await location.data.delete(piece)
  return expired.length
}
