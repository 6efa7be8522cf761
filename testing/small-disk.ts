import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A small disk of its own, in memory. */
export interface SmallDisk {
  directory: string
  /** Fills it up to the last byte, or leaves some. */
  fill(leftBytes?: number): Promise<void>
  /** Makes room again. */
  empty(): Promise<void>
  unmount(): Promise<void>
}

/** Mounts one; undefined where that is not allowed, as only root may, and not on every machine. */
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
      // Whoever crashed on it may still have files open.
      await run('umount', ['--lazy', directory])
      await rm(directory, { recursive: true })
    },
  }
}
