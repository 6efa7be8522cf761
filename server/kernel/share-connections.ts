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
 * Limits the open connections of a server to `max`, and those of a client network to a quarter, because
 * otherwise one network could exhaust them with idle connections. Connections for which `addressOf` returns
 * undefined do not count for a network. Refused connections do not reach the server's existing connection
 * listeners. Unlike with `maxConnections` of Node, a supervisor does not offer them to another process, which
 * would go on without end while all are full.
 */
export function shareConnections(
  server: Server,
  max: number,
  addressOf: (socket: Socket) => string | undefined,
  refuse: (socket: Socket, address: string) => void = socket => socket.destroy(),
): void {
  const shares = createConnectionShares(max / 4)
  let open = 0
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (open >= max) return void socket.destroy()
    const address = addressOf(socket)
    const release = address === undefined ? undefined : shares.take(address)
    if (address !== undefined && !release) return refuse(socket, address)
    open++
    socket.once('close', () => {
      open--
      release?.()
    })
    for (const listener of listeners) listener.call(server, socket)
  })
}
