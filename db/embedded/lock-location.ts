import { createHash } from 'node:crypto'
import { open, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Where the contenders for a directory put their sockets: the same for every process, by any path. */
export interface LockLocation {
  directory: string
  prefix: string
  close(): Promise<void>
}

/** Finds the place beside the directory, whose parent must exist. */
export async function lockLocation(directory: string): Promise<LockLocation> {
  const path = await realPathOf(directory)
  const parent = dirname(path)
  const prefix = `${basename(path)}.lock-`
  if (fits(join(parent, prefix))) return { directory: parent, prefix, close: async () => {} }

  const shortPrefix = `guildhall-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.lock-`
  if (process.platform !== 'linux') return { directory: tmpdir(), prefix: shortPrefix, close: async () => {} }

  // Not the temporary directory: a service may have a private one, and would then not meet a command's lock.
  const handle = await open(parent, 'r')
  return {
    directory: `/proc/self/fd/${handle.fd}`,
    prefix: shortPrefix,
    close: () => handle.close(),
  }
}

// A socket's path may have 103 bytes (macOS) or 107 (Linux); the rest of the name takes up to 28.
function fits(path: string): boolean {
  return Buffer.byteLength(path) + 28 <= 100
}

async function realPathOf(directory: string): Promise<string> {
  try {
    return await realpath(directory)
  } catch {
    return join(await realpath(dirname(directory)), basename(directory))
  }
}
