import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { canonicalAddress } from '@/server/kernel/ip-address'
import { shareConnections } from '@/server/kernel/share-connections'
import { productVersion } from '@/server/kernel/version'
import type { Services } from '@/server/services'
import { algorithms } from './algorithms'
import { type ConnectionLimits, type OpenConnection, serveConnection } from './connection'
import { GuardedSocket } from './guarded-socket'
import type { HostKey } from './host-keys'
import { createThrottle, type ThrottleLimits } from './throttle'
import { watchKeys } from './watch-keys'

export interface SshLimits extends ConnectionLimits, ThrottleLimits {
  maxConnections: number
  /** Interval, in milliseconds, of checks that the keys of all open connections still grant access. */
  checkMs: number
}

export const defaultSshLimits: SshLimits = {
  signInMs: 30_000,
  maxTries: 20,
  idleMs: 120_000,
  maxSessions: 10,
  maxConnections: 1000,
  checkMs: 15_000,
  burst: 60,
  perMinute: 60,
}

export interface SshServer {
  port: number
  /**
   * Accepts no more connections, lets commands finish until the deadline, then disconnects the rest. A client
   * that has just connected can still send its command within `newcomersMs`.
   */
  stop(deadlineMs: number, newcomersMs?: number): Promise<void>
}

/**
 * Starts the built-in SSH server, which accepts only Git commands and only public keys. A connection is
 * closed if its key is deleted or expires, or its account can no longer sign in.
 */
export async function startSshServer(
  services: Services,
  hostKeys: readonly HostKey[],
  { host, port }: { host: string; port: number },
  limits: SshLimits = defaultSshLimits,
): Promise<SshServer> {
  // The value is undefined until the client has sent its first line, when the library reports the connection.
  const open = new Map<GuardedSocket, OpenConnection | undefined>()
  const signIns = new WeakMap<GuardedSocket, () => void>()
  const ssh = new ssh2.Server({
    hostKeys: hostKeys.map(({ privateKey }) => privateKey),
    algorithms: algorithms as unknown as ssh2.Algorithms,
    ident: `Guildhall_${productVersion}`,
  })
  ssh.on('connection', (client, info) => {
    const { _sock: socket } = client as unknown as { _sock: GuardedSocket }
    open.set(
      socket,
      serveConnection(services, client, socket, info, { ...limits, signedIn: () => signIns.get(socket)?.() }),
    )
  })
  const server = createServer()
  shareConnections(server, limits.maxConnections, socket => canonicalAddress(socket.remoteAddress))
  const throttle = createThrottle(limits)
  server.on('connection', (incoming: Socket) => {
    if (incoming.destroyed) return
    const address = canonicalAddress(incoming.remoteAddress)
    const hasSignedIn = throttle.begin(address)
    if (!hasSignedIn) return refuse(incoming)
    const socket = new GuardedSocket(incoming)
    signIns.set(socket, hasSignedIn)
    open.set(socket, undefined)
    const tooLate = setTimeout(() => {
      if (!open.get(socket)) socket.destroy()
    }, limits.signInMs)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(tooLate)
      open.delete(socket)
    })
    ssh.injectSocket(socket as unknown as Socket)
  })
  const stopWatching = watchKeys(services, () => open.values(), limits.checkMs)
  server.listen(port, host)
  await once(server, 'listening')
  server.on('error', error => services.log.warn({ err: error }, 'an SSH connection could not be accepted'))
  return {
    port: (server.address() as AddressInfo).port,
    async stop(deadlineMs, newcomersMs = 0) {
      stopWatching()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      const begun = performance.now()
      const endIdle = (): void => {
        const areNewcomersWelcome = performance.now() - begun < newcomersMs
        for (const [socket, connection] of open) {
          if (areNewcomersWelcome && !connection?.hasRun) continue
          if (!connection) socket.destroy()
          else connection.stop()
        }
      }
      endIdle()
      const looking = setInterval(endIdle, 100)
      const deadline = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy()
      }, deadlineMs)
      await closed
      clearInterval(looking)
      clearTimeout(deadline)
    },
  }
}

// A server can send other lines before its identification line; clients show them, at least in verbose mode.
function refuse(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.end('Too many unauthenticated connections from your address. Try again in a minute.\r\n')
  socket.destroySoon()
}
