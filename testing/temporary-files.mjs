import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const memory = '/dev/shm'
const leastBytes = 4 * 1024 ** 3

/**
 * Sets TMPDIR to a directory in memory if it is not set and at least 4 GiB of memory are free. Disks are slow
 * with the many small files of databases and repositories.
 */
export function keepTemporaryFilesInMemory() {
  if (!process.env.TMPDIR && isRoomy()) process.env.TMPDIR = memory
}

function isRoomy() {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find(line => line.split(' ')[1] === memory)
    // The directory must allow execution, because Git runs hooks there.
    if (!mount || /\bnoexec\b/.test(mount)) return false
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem()) >= leastBytes
  } catch {
    return false
  }
}
