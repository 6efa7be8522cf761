import { randomBytes } from 'node:crypto'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfAbsent } from './absent'
import { type DiskTrouble, diskRefusal, diskTroubleOf, hadTrouble } from './disk-trouble'
import { writeFileSynced } from './fsync'

// What a small change takes: its objects, notes and locks.
const leastBytes = 8 * 1024 * 1024
const probe = 'x'.repeat(64 * 1024)

/**
 * Tells what keeps the disk of a directory from taking files; undefined while nothing is known to. It is written to only if a
 * disk had trouble lately: quotas and disks that take no more changes show in nothing else.
 */
export async function findDiskTrouble(directory: string): Promise<DiskTrouble | undefined> {
  try {
    const disk = await statfs(directory).catch(undefinedIfAbsent)
    // Nothing was kept there yet.
    if (!disk) return undefined
    // Some network file systems do not say.
    if (disk.blocks > 0 && disk.bavail * disk.bsize < leastBytes) return 'full'
    if (hadTrouble()) await writeProbe(directory)
    return undefined
  } catch (error) {
    return diskTroubleOf(error) ?? 'failing'
  }
}

/** @throws {DomainError} unavailable where `findDiskTrouble` finds any. */
export async function requireRoom(directory: string): Promise<void> {
  const trouble = await findDiskTrouble(directory)
  if (trouble) throw diskRefusal(trouble)
}

async function writeProbe(directory: string): Promise<void> {
  const path = join(directory, `${randomBytes(4).toString('hex')}.probe`)
  try {
    await writeFileSynced(path, probe)
  } finally {
    await rm(path, { force: true })
  }
}
