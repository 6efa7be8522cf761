import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Services } from '../services'

const graceMs = 20_000

/** Stops cleanly on SIGTERM and SIGINT: no new connections, open requests finish, then the database closes. */
export function stopOnSignal(server: Server, services: Services, closePages: () => Promise<void>): void {
  const unused = trackUnused(server)
  let stopping = false
  const stop = (signal: string): void => {
    // The second Ctrl+C means "now".
    if (stopping) process.exit(1)
    stopping = true
    services.log.info({ signal }, 'stopping')
    void shutDown(server, services, unused, closePages).then(
      () => process.exit(0),
      error => {
        services.log.error({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Ends the server and what it serves from; requests that outlast 20 seconds are cut off. */
async function shutDown(
  server: Server,
  services: Services,
  unused: ReadonlySet<Socket>,
  closePages: () => Promise<void>,
): Promise<void> {
  services.ready = false
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  for (const socket of unused) socket.destroy()
  // A connection that is kept alive becomes idle only after its last answer.
  const closingIdle = setInterval(() => server.closeIdleConnections(), 100)
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(deadline)
  clearInterval(closingIdle)
  await closePages()
  await services.database.close()
}

// Node takes a connection for busy until its first request is over, so one that never sends any would hold up the stop.
function trackUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', request => unused.delete(request.socket))
  return unused
}
