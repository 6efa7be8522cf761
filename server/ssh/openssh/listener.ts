import { lstat, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { KnownKey } from '@/server/auth/credentials/ssh-key'
import { ConfigError } from '@/server/kernel/config-error'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { speaksForSite } from '@/server/kernel/processes/supervised'
import { createConnectionShares } from '@/server/kernel/share-connections'
import { listenPrivately, maxSocketPathBytes } from '@/server/kernel/unix-socket'
import type { Services } from '@/server/services'
import { watchKeys } from '../watch-keys'
import { answerPeer, type CommandSlots } from './answer'
import { createPeer, type Peer } from './peer'

export interface OpenSshLimits {
  /** Time in milliseconds after which a connection without a request is closed. */
  requestMs: number
  maxCommands: number
  /** Interval, in milliseconds, of checks that the keys of all running commands still grant access. */
  checkMs: number
}

export const defaultOpenSshLimits: OpenSshLimits = { requestMs: 10_000, maxCommands: 1000, checkMs: 15_000 }

export interface OpenSshListener {
  /**
   * Accepts no more connections, lets commands finish until the deadline, then disconnects the rest. A client
   * that has just connected can still send its command within `newcomersMs`.
   */
  stop(deadlineMs: number, newcomersMs?: number): Promise<void>
}

interface Connection {
  peer: Peer
  /** The key that a command runs with; undefined while none does. */
  key: KnownKey | undefined
  end(): void
}

/**
 * Listens on a Unix socket for the commands that OpenSSH's sshd runs in place of the built-in SSH server. Any
 * process that can open the socket is trusted to name the key that signed in, so only the process's own user
 * can open it. A command is ended if its key is deleted or expires, or its account can no longer sign in.
 * @throws {ConfigError} if the path is not usable or another process listens on it.
 */
export async function listenForOpenSsh(
  services: Services,
  path: string,
  limits: OpenSshLimits = defaultOpenSshLimits,
): Promise<OpenSshListener> {
  // All server processes of this machine share the socket, which the supervisor opens.
  if (speaksForSite()) await makeRoom(path)
  const open = new Map<Socket, Connection>()
  const { maxCommands } = limits
  const slots: CommandSlots = { free: maxCommands, shares: createConnectionShares(maxCommands / 4) }
  // Leaves room for key lookups when the maximum number of commands is running.
  const maxConnections = maxCommands * 2
  const server = createServer(socket => {
    if (open.size >= maxConnections) return void socket.destroy()
    const peer = createPeer(socket, limits.requestMs)
    const connection: Connection = {
      peer,
      key: undefined,
      end() {
        peer.printLine('Guildhall: This key no longer grants access.')
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
  await listenPrivately(server, path)
  const stopWatching = watchKeys(services, () => open.values(), limits.checkMs)
  return {
    async stop(deadlineMs, newcomersMs = 0) {
      stopWatching()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      const endIdle = (): void => {
        for (const [socket, { key }] of open) if (!key) socket.destroySoon()
      }
      const idle = setTimeout(endIdle, newcomersMs)
      const deadline = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy()
      }, deadlineMs)
      await closed
      clearTimeout(idle)
      clearTimeout(deadline)
    },
  }
}

/** Creates the socket's directory and removes a socket that a killed process left behind. */
async function makeRoom(path: string): Promise<void> {
  const refuse = (problem: string): never => {
    throw new ConfigError(`GUILDHALL_SSH_SOCKET: ${problem}`)
  }
  if (Buffer.byteLength(path) > maxSocketPathBytes) {
    refuse(`${path} is longer than ${maxSocketPathBytes} bytes, the maximum for a socket; use a shorter path`)
  }
  const directory = dirname(path)
  await makeDirectory(directory)
  const { mode } = await stat(directory)
  if (mode & 0o022)
    refuse(`other users can write to ${directory} and could replace the socket; run chmod go-w ${directory}`)
  const found = await lstat(path).catch(undefinedIfAbsent)
  if (!found) return
  if (!found.isSocket()) refuse(`a file already exists at ${path}`)
  if (await isAnswered(path))
    refuse(`another process is listening at ${path}; give each process its own path`)
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
