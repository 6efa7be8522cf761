import { once } from 'node:events'
import { chmod, lstat, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { KnownKey } from '@/server/auth/credentials/ssh-key'
import { ConfigError } from '@/server/kernel/config-error'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { createConnectionShares } from '@/server/kernel/share-connections'
import type { Services } from '@/server/services'
import { watchKeys } from '../watch-keys'
import { answerPeer, type CommandSlots } from './answer'
import { createPeer, type Peer } from './peer'

export interface OpenSshLimits {
  /** How long a connection may be left without a request. */
  requestMs: number
  maxCommands: number
  /** How often to look whether the keys of all commands still open something. */
  checkMs: number
}

export const defaultOpenSshLimits: OpenSshLimits = { requestMs: 10_000, maxCommands: 1000, checkMs: 15_000 }

export interface OpenSshListener {
  /** Takes no more connections, lets commands end until the deadline, then cuts off the rest. */
  stop(deadlineMs: number): Promise<void>
}

interface Connection {
  peer: Peer
  /** What a command runs with; undefined while none does. */
  key: KnownKey | undefined
  end(): void
}

/**
 * Listens on a Unix socket for the commands that OpenSSH's sshd runs instead of our own SSH server. Whoever may open the
 * socket is believed which key signed in, so nobody but the user of this process may. A command ends when its key is
 * deleted or expires, or its account may not sign in anymore.
 * @throws {ConfigError} where the path will not do, or another process listens at it.
 */
export async function listenForOpenSsh(
  services: Services,
  path: string,
  limits: OpenSshLimits = defaultOpenSshLimits,
): Promise<OpenSshListener> {
  await makeRoom(path)
  const open = new Map<Socket, Connection>()
  const { maxCommands } = limits
  const slots: CommandSlots = { free: maxCommands, shares: createConnectionShares(maxCommands / 4) }
  const server = createServer(socket => {
    const peer = createPeer(socket, limits.requestMs)
    const connection: Connection = {
      peer,
      key: undefined,
      end() {
        peer.printLine('Guildhall: This key was deleted or has expired.')
        peer.end()
      },
    }
    open.set(socket, connection)
    socket.once('close', () => open.delete(socket))
    const began = (key: KnownKey): void => {
      connection.key = key
    }
    void answerPeer(services, peer, slots, began).then(code => peer.exit(code))
  })
  // Room for questions about keys when all commands are taken.
  server.maxConnections = maxCommands * 2
  await listen(server, path)
  const stopWatching = watchKeys(services, () => open.values(), limits.checkMs)
  return {
    async stop(deadlineMs) {
      stopWatching()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const [socket, { key }] of open) if (!key) socket.destroySoon()
      const deadline = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy()
      }, deadlineMs)
      await closed
      clearTimeout(deadline)
    },
  }
}

async function listen(server: ReturnType<typeof createServer>, path: string): Promise<void> {
  // The socket is made by this call, and nobody else may open it even for an instant.
  const before = process.umask(0o077)
  server.listen(path)
  process.umask(before)
  await once(server, 'listening')
  await chmod(path, 0o600)
}

// What every system takes; Linux allows four more.
const maxPathBytes = 103

/** Makes the directory of the socket, and removes what a killed process has left there. */
async function makeRoom(path: string): Promise<void> {
  const refuse = (problem: string): never => {
    throw new ConfigError(`GUILDHALL_SSH_SOCKET: ${problem}`)
  }
  if (Buffer.byteLength(path) > maxPathBytes) {
    refuse(
      `${path} is longer than ${maxPathBytes} bytes, which is the most for a socket; choose another path`,
    )
  }
  const directory = dirname(path)
  await makeDirectory(directory)
  const { mode } = await stat(directory)
  if (mode & 0o022) refuse(`others may write to ${directory}, and so replace the socket; chmod go-w it`)
  const found = await lstat(path).catch(undefinedIfAbsent)
  if (!found) return
  if (!found.isSocket()) refuse(`there is a file at ${path} already`)
  if (await isAnswered(path)) refuse(`another process listens at ${path}; give each its own path`)
  await rm(path, { force: true })
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    )
  })
}
