import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const memory = '/dev/shm'
const leastBytes = 4 * 1024 ** 3

/**
 * Lets tests make their temporary files in memory where this machine has enough of it, unless TMPDIR says where: a disk
 * takes long over the many small files of databases and repositories.
 */
export function keepTemporaryFilesInMemory() {
  if (!process.env.TMPDIR && isRoomy()) process.env.TMPDIR = memory
}

function isRoomy() {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find(line => line.split(' ')[1] === memory)
    // Git runs hooks from there.
    if (!mount || /\bnoexec\b/.test(mount)) return false
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem()) >= leastBytes
  } catch {
    return false
  }
}
