import { once } from 'node:events'
import { chmod, open } from 'node:fs/promises'
import type { Server } from 'node:net'
import { join } from 'node:path'

/** Maximum length of a socket's path that all systems support; Linux allows four bytes more. */
export const maxSocketPathBytes = 103

/** Listens on a Unix socket that only the process's own user can open. */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  // The umask applies when the socket is created, so no other user can open it even for a moment.
  const before = process.umask(0o077)
  server.listen(path)
  process.umask(before)
  await once(server, 'listening')
  await chmod(path, 0o600)
}

/**
 * Calls `use` with a path of a socket in a directory. On Linux, it is short enough even if that of the directory
 * is not; it is then valid only until `use` has ended.
 */
export async function withSocketPath<T>(
  directory: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(directory, name)
  if (Buffer.byteLength(path) <= maxSocketPathBytes || process.platform !== 'linux') return await use(path)
  const handle = await open(directory, 'r')
  try {
    return await use(`/proc/self/fd/${handle.fd}/${name}`)
  } finally {
    await handle.close()
  }
}
