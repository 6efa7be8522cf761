import { createHash } from 'node:crypto'
import { open, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/**
 * Where processes that compete for a directory create their sockets. It is the same for every process,
 * regardless of the path used.
 */
export interface LockLocation {
  directory: string
  prefix: string
  close(): Promise<void>
}

/**
 * Returns the lock location for a directory, whose parent must exist. It is next to the directory unless the
 * path is too long for a socket.
 */
export async function lockLocation(directory: string): Promise<LockLocation> {
  const path = await realPathOf(directory)
  const parent = dirname(path)
  const prefix = `${basename(path)}.lock-`
  if (fits(join(parent, prefix))) return { directory: parent, prefix, close: async () => {} }

  const shortPrefix = `guildhall-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.lock-`
  if (process.platform !== 'linux') return { directory: tmpdir(), prefix: shortPrefix, close: async () => {} }

  // Not in the temporary directory: a service with a private one would not see the lock of a command.
  const handle = await open(parent, 'r')
  return {
    directory: `/proc/self/fd/${handle.fd}`,
    prefix: shortPrefix,
    close: () => handle.close(),
  }
}

// The path of a Unix socket is limited to 103 bytes (macOS) or 107 bytes (Linux). The rest of the name takes
// up to 28.
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
