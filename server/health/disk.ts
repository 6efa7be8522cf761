import { stat, statfs } from 'node:fs/promises'
import type { Disk } from './schema'

/** By directory, the number of the file system that it is on. */
export type Devices = ReadonlyMap<string, number>

/** What its file system has; null where it does not say. */
export async function diskOf(directory: string): Promise<Disk> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory)
    return { directory, free: bavail * bsize, size: blocks * bsize }
  } catch {
    return null
  }
}

/** Leaves out those that cannot be asked. */
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
