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
 * left alone. Connections whose address `addressOf` does not tell are not counted.
 */
export function shareConnections(
  server: Server,
  max: number,
  addressOf: (socket: Socket) => string | undefined,
): void {
  const shares = createConnectionShares(max)
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    if (address === undefined) return
    const release = shares.take(address)
    if (release) socket.once('close', release)
    else socket.destroy()
  })
}
