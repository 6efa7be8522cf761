import { randomBytes } from 'node:crypto'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfAbsent } from './absent'
import { type DiskTrouble, diskRefusal, diskTroubleOf, hadTrouble } from './disk-trouble'
import { writeFileSynced } from './fsync'

// Space that a small change needs for its objects, records and locks.
const leastBytes = 8 * 1024 * 1024
const probe = 'x'.repeat(64 * 1024)

/**
 * Returns the problem that prevents the disk of a directory from accepting files, or undefined if none is
 * known. It performs a test write only if a disk had trouble recently, because quotas and read-only disks
 * cannot be detected in any other way.
 */
export async function findDiskTrouble(directory: string): Promise<DiskTrouble | undefined> {
  try {
    const disk = await statfs(directory).catch(undefinedIfAbsent)
    // Nothing has been stored there yet.
    if (!disk) return undefined
    // Some network file systems do not report their size.
    if (disk.blocks > 0 && disk.bavail * disk.bsize < leastBytes) return 'full'
    if (hadTrouble()) await writeProbe(directory)
    return undefined
  } catch (error) {
    return diskTroubleOf(error) ?? 'failing'
  }
}

/**
 * Checks that the disk of a directory accepts files.
 * @throws {DomainError} unavailable if `findDiskTrouble` returns a problem.
 */
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
