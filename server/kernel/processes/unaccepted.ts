import type { Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'

interface Connection {
  close(): void
}

/** What Node's cluster module sends with a connection. */
interface ClusterMessage {
  act?: string
  seq: number
}

/**
 * Gives the connections that a process had not accepted when it ended to other processes. Node would forget
 * them, and their clients would wait until they give up.
 * @param hasOthers Whether other processes accept connections; otherwise, the connections are closed.
 */
export function keepUnaccepted(worker: Worker, hasOthers: () => boolean): void {
  const child = worker.process
  const unaccepted = new Map<number, Connection>()
  const send = child.send as (...message: unknown[]) => boolean
  child.send = (message: ClusterMessage, connection?: unknown, ...rest: unknown[]) => {
    if (message.act === 'newconn') unaccepted.set(message.seq, connection as Connection)
    return send.call(child, message, connection, ...rest)
  }
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) unaccepted.delete(ack)
  })
  worker.on('exit', async () => {
    // The last messages of the process may still have to be read.
    while (child.connected) await delay(5)
    if (unaccepted.size === 0) return
    // Node postpones it until the connections are accepted, and would hand further ones to the process.
    worker.disconnect()
    for (const [seq, connection] of unaccepted) {
      if (hasOthers()) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false })
      else connection.close()
    }
  })
}
