import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { JobRunner } from '@/server/jobs/runner'
import type { RunningWorkers } from '@/server/jobs/workers'
import { within } from '@/server/kernel/within'
import { endStreams } from '@/server/live'
import type { Services } from '@/server/services'

// All counted from the signal. Service managers and clusters commonly kill after 30 seconds.
const limits = { connectionsMs: 20_000, pagesMs: 24_000, databaseMs: 28_000 }

/** What runs beside the server and ends before the database closes. */
interface StoppedWith {
  jobs: JobRunner
  workers: RunningWorkers
  /** What takes connections beside the server. */
  listeners?: readonly { stop(deadlineMs: number): Promise<void> }[]
  closePages(): Promise<void>
}

/** Stops cleanly on SIGTERM and SIGINT: no new connections or jobs, open ones finish, then the database closes. */
export function stopOnSignal(server: Server, services: Services, rest: StoppedWith): void {
  const sockets = trackSockets(server)
  let stopping = false
  const stop = (signal: string): void => {
    // The second Ctrl+C means "now".
    if (stopping) process.exit(1)
    stopping = true
    services.log.info({ signal }, 'stopping')
    void shutDown(server, services, sockets, rest).then(
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

/**
 * Ends the server and what it serves from within 28 seconds; whatever connection outlasts 20 seconds is cut off.
 * @throws {Error} where the pages or the database do not close in time, as they wait for whoever still uses them.
 */
export async function shutDown(
  server: Server,
  services: Services,
  { open, unused }: Sockets,
  { jobs, workers, listeners = [], closePages }: StoppedWith,
  options: Partial<typeof limits> = {},
): Promise<void> {
  const { connectionsMs, pagesMs, databaseMs } = { ...limits, ...options }
  const begun = performance.now()
  const left = (limitMs: number): number => Math.max(0, begun + limitMs - performance.now())
  services.accepting = false
  endStreams(services)
  const jobsStopped = Promise.all([jobs.stop(), workers.stop()])
  const backgroundStopped = services.background.stop(left(connectionsMs))
  const listenersStopped = Promise.all(listeners.map(one => one.stop(left(connectionsMs))))
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  for (const socket of unused) socket.destroy()
  // A connection that is kept alive becomes idle only after its last answer.
  const closingIdle = setInterval(() => server.closeIdleConnections(), 100)
  const deadline = setTimeout(() => {
    for (const socket of open) socket.destroy()
  }, connectionsMs)
  await closed
  await listenersStopped
  clearTimeout(deadline)
  clearInterval(closingIdle)
  const arePagesClosed = await within(left(pagesMs), closePages())
  await jobsStopped
  if (!(await backgroundStopped)) services.log.warn('work in the background did not stop in time')
  const closeDatabase = async (): Promise<void> => {
    await services.link?.close()
    await services.database.close()
  }
  const isDatabaseClosed = await within(left(databaseMs), closeDatabase())
  if (!isDatabaseClosed) throw new Error('the database did not close in time')
  if (!arePagesClosed) throw new Error('the pages did not close in time')
}

interface Sockets {
  open: ReadonlySet<Socket>
  /** Those that have not brought a request yet. */
  unused: ReadonlySet<Socket>
}

// Node itself forgets connections that were upgraded, and takes one that never sends a request for busy: either would
// hold up the stop.
function trackSockets(server: Server): Sockets {
  const open = new Set<Socket>()
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    unused.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      unused.delete(socket)
    })
  })
  // A request that waits to be invited to send its body raises the second event alone.
  for (const event of ['request', 'checkContinue'] as const) {
    server.on(event, (request: IncomingMessage) => unused.delete(request.socket))
  }
  return { open, unused }
}
