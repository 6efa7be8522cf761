import type { Server, Socket } from 'node:net'
import { addressNetwork } from './ip-address'

/** Counters of open connections per client network, with a limit for each network. */
export interface ConnectionShares {
  /**
   * Counts a connection from this address until the returned function is called. Returns undefined if its
   * network has reached the limit.
   */
  take(address: string): (() => void) | undefined
}

/** Creates counters that allow at most `max` open connections per client network. */
export function createConnectionShares(max: number): ConnectionShares {
  const open = new Map<string, number>()
  return {
    take(address) {
      const network = addressNetwork(address)
      const before = open.get(network) ?? 0
      if (before >= max) return undefined
      open.set(network, before + 1)
      return () => {
        const left = (open.get(network) ?? 1) - 1
        if (left > 0) open.set(network, left)
        else open.delete(network)
      }
    },
  }
}

/**
 * Limits the open connections of a server to `max` per client network, because otherwise one network could
 * exhaust them with idle connections. Connections for which `addressOf` returns undefined are not counted.
 * Refused connections do not reach the server's existing connection listeners.
 */
export function shareConnections(
  server: Server,
  max: number,
  addressOf: (socket: Socket) => string | undefined,
  refuse: (socket: Socket, address: string) => void = socket => socket.destroy(),
): void {
  const shares = createConnectionShares(max)
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    const release = address === undefined ? undefined : shares.take(address)
    if (address !== undefined && !release) return refuse(socket, address)
    if (release) socket.once('close', release)
    for (const listener of listeners) listener.call(server, socket)
  })
}
