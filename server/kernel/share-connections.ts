import type { Server, Socket } from 'node:net'
import { addressNetwork } from './ip-address'

/** How many connections each network has. */
export interface ConnectionShares {
  /** Counts one more from this address, until what it returns is called; undefined where its network has its share already. */
  take(address: string): (() => void) | undefined
}

/** Lets one network have at most so many connections. */
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
 * Lets one network have at most so many connections of a server: otherwise it could keep all, each for as long as one may be
 * left alone. Connections whose address `addressOf` does not tell are not counted. Who listens for connections already is not
 * told of those that are refused.
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
