import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A small in-memory file system that tests can fill. */
export interface SmallDisk {
  directory: string
  /** Fills the file system, except for this many bytes. */
  fill(leftBytes?: number): Promise<void>
  /** Deletes the data that `fill` wrote. */
  empty(): Promise<void>
  unmount(): Promise<void>
}

/**
 * Mounts a small in-memory file system. Returns undefined if mounting is not permitted, for example without
 * root privileges.
 */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-disk-'))
  const filler = join(directory, 'filler')
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory])
  } catch {
    await rm(directory, { recursive: true })
    return undefined
  }
  return {
    directory,
    async fill(leftBytes = 0) {
      const { bavail, bsize } = await statfs(directory)
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)), { flag: 'a' })
    },
    empty: () => rm(filler, { force: true }),
    async unmount() {
      // A crashed process can still have open files, so the file system is unmounted lazily.
      await run('umount', ['--lazy', directory])
      await rm(directory, { recursive: true })
    },
  }
}
