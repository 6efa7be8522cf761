import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/** How long the connections of a server have been without a request. */
export interface QuietTimes {
  /** Returns the connections without a request for at least this number of milliseconds. */
  quietFor(ms: number): Socket[]
  readonly size: number
}

// Far longer than a request takes to arrive, so that none is lost with a connection that its client still uses.
const quietMs = 5_000
const lookMs = 100

/** Follows which connections of an HTTP server are in use. */
export function trackQuietTimes(server: Server): QuietTimes {
  const uses = new Map<Socket, { running: number; since: number }>()
  server.on('connection', (socket: Socket) => {
    uses.set(socket, { running: 0, since: performance.now() })
    socket.once('close', () => uses.delete(socket))
  })
  // A request with `Expect: 100-continue` emits only the second event.
  for (const event of ['request', 'checkContinue'] as const) {
    server.on(event, ({ socket }: IncomingMessage, response: ServerResponse) => {
      const use = uses.get(socket)
      if (!use) return
      use.running++
      response.once('close', () => {
        use.running--
        use.since = performance.now()
      })
    })
  }
  return {
    quietFor(ms) {
      const before = performance.now() - ms
      return [...uses].flatMap(([socket, { running, since }]) =>
        running === 0 && since <= before ? [socket] : [],
      )
    },
    get size() {
      return uses.size
    },
  }
}

/**
 * Accepts no more connections, and closes each one that is open after its last request, so that no client loses
 * a request that it is just sending. Resolves once all are closed, or the signal is aborted.
 */
export async function drainConnections(
  server: Server,
  connections: QuietTimes,
  signal: AbortSignal,
): Promise<void> {
  // Unlike the method of HTTP servers, this one leaves idle connections open.
  NetServer.prototype.close.call(server)
  await new Promise<void>(resolve => {
    const look = setInterval(() => {
      for (const socket of connections.quietFor(quietMs)) socket.destroy()
      if (connections.size > 0 && !signal.aborted) return
      clearInterval(look)
      resolve()
    }, lookMs)
  })
}
