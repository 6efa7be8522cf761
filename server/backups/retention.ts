import type { BackupLocation } from './location/location'
import { DamagedList, listSnapshots, readSnapshot } from './location/snapshot'

/** What `removeExpired` did, and the keys of kept backups whose list of pieces is damaged. */
export interface Removed {
  backups: number
  damaged: string[]
}

/**
 * Removes all but the newest complete backups and as many incomplete ones, and then the pieces that no backup
 * names. Of these, only pieces that were there before the last backup started are removed, and none while it is
 * unknown what one of the backups names.
 */
export async function removeExpired(
  location: BackupLocation,
  keep: number,
  before: ReadonlyMap<string, number>,
): Promise<Removed> {
  const named = new Set<string>()
  const expired: string[] = []
  const damaged: string[] = []
  const kept = { complete: 0, incomplete: 0 }
  for (const key of await listSnapshots(location)) {
    if (kept.complete >= keep) {
      expired.push(key)
      continue
    }
    const pieces: string[] = []
    try {
      const { faults } = await readSnapshot(location, key, ({ piece }) => pieces.push(piece))
      const kind = faults === 0 ? 'complete' : 'incomplete'
      if (kept[kind] >= keep) expired.push(key)
      else for (const piece of pieces) named.add(piece)
      kept[kind]++
    } catch (error) {
      if (!(error instanceof DamagedList)) throw error
      damaged.push(key)
    }
  }
  for (const key of expired) await location.snapshots.delete(key)
  for (const piece of before.keys()) {
    if (damaged.length === 0 && !named.has(piece)) await location.data.delete(piece)
  }
  return { backups: expired.length, damaged }
}
