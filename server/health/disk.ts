import { stat, statfs } from 'node:fs/promises'
import type { Disk } from './schema'

/** Number of the file system that each directory is on, by directory. */
export type Devices = ReadonlyMap<string, number>

/**
 * Returns the free space and size in bytes of the file system that a directory is on, or null if they cannot
 * be determined.
 */
export async function diskOf(directory: string): Promise<Disk> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { directory, free: bavail * bsize, size: blocks * bsize }
  } catch {
    return null
  }
}

/** Returns the file system of each disk's directory. Directories that cannot be accessed are omitted. */
export async function devicesOf(disks: readonly Disk[]): Promise<Devices> {
  const directories = disks.flatMap(disk => disk?.directory ?? [])
  const found = await Promise.all(
    directories.map(async directory => {
      const dev = await stat(directory).then(
        ({ dev }) => dev,
        () => undefined,
      )
      return dev === undefined ? [] : [[directory, dev] as const]
    }),
  )
  return new Map(found.flat())
}
