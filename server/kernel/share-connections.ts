import type { Server, Socket } from 'node:net'
import { addressNetwork } from './ip-address'

/** Connection counts per network, with a limit. */
export interface ConnectionShares {
  /**
   * Counts a connection from this address until the returned function is called. Returns undefined if its
   * network has reached the limit.
   */
  take(address: string): (() => void) | undefined
}

/** Creates connection counts that allow at most `max` connections per network. */
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
 * Limits the connections of a server to `max` per network, because otherwise one network could occupy all of
 * them with idle connections. Connections whose address `addressOf` does not return are not counted. Existing
 * connection listeners of the server are not called for refused connections.
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
