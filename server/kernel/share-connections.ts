import type { Server, Socket } from 'node:net'
import { addressNetwork } from './ip-address'

/**
 * Lets one network have at most so many connections of a server: otherwise it could keep all, each for as long as one may be
 * left alone. Connections whose address `addressOf` does not tell are not counted.
 */
export function shareConnections(
  server: Server,
  max: number,
  addressOf: (socket: Socket) => string | undefined,
): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    if (address === undefined) return
    const network = addressNetwork(address)
    const before = open.get(network) ?? 0
    if (before >= max) {
      socket.destroy()
      return
    }
    open.set(network, before + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
