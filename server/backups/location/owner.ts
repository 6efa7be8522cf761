import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { BackupLocation } from './location'

// The keys of snapshots start with a time, so none has this one.
const ownerKey = '1'.padStart(32, '0')

/**
 * Makes sure that no other site uses a location, because each would remove what only backups of the other name. A
 * location without an owner gets this one, and with `acceptsForeign`, any location does.
 * @throws {Error} if the location belongs to another site
 */
export async function claimLocation(
  { snapshots }: Pick<BackupLocation, 'snapshots'>,
  siteId: string,
  { acceptsForeign = false } = {},
): Promise<void> {
  const line = Buffer.from(`${siteId}\n`)
  const size = await snapshots.size(ownerKey)
  const isOwn = size === line.length && line.equals(await buffer(await snapshots.get(ownerKey)))
  if (isOwn) return
  if (size !== undefined && !acceptsForeign) {
    throw new Error(
      'the backups there are those of another site, such as the one that this site was restored from. ' +
        'Choose another location, or add --foreign if no other site makes backups there',
    )
  }
  await snapshots.put(ownerKey, Readable.from([line]))
}
