import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { unavailabilityOf } from '@/db/unavailable'
import type { JobRunner } from '@/server/jobs/runner'
import type { RunningWorkers } from '@/server/jobs/workers'
import { settlesWithin } from '@/server/kernel/settles-within'
import { endStreams } from '@/server/live'
import type { Services } from '@/server/services'

// All counted from the signal. Service managers and clusters commonly kill after 30 seconds.
const limits = { connectionsMs: 20_000, pagesMs: 24_000, databaseMs: 28_000 }
// Time to tell everybody that nothing works anymore.
const withoutDatabase: Partial<typeof limits> = { connectionsMs: 3_000, pagesMs: 4_000, databaseMs: 5_000 }

/** What runs beside the server and ends before the database closes. */
interface StoppedWith {
  jobs: JobRunner
  workers: RunningWorkers
  /** What takes connections beside the server. */
  listeners?: readonly { stop(deadlineMs: number): Promise<void> }[]
  closePages(): Promise<void>
}

/**
 * Stops cleanly on SIGTERM and SIGINT: no new connections or jobs, open ones finish, then the database closes. Also stops, with
 * exit code 1, where the embedded database has ended, which only another process can open again.
 */
export function stopOnSignal(server: Server, services: Services, rest: StoppedWith): void {
  const sockets = trackSockets(server)
  let isStopping = false
  let isSignaled = false
  let code = 0
  const stop = (signal: string, deadlines: Partial<typeof limits> = {}): void => {
    if (isStopping) return
    isStopping = true
    services.log.info({ signal }, 'stopping')
    void shutDown(server, services, sockets, rest, deadlines).then(
      () => process.exit(code),
      error => {
        services.log.error({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  const onSignal = (signal: string): void => {
    // The second Ctrl+C means "now".
    if (isSignaled) process.exit(1)
    isSignaled = true
    stop(signal)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  void services.database.ended?.then(why => {
    services.log.fatal({ reason: why.message }, adviceOn(why))
    code = 1
    stop('none', withoutDatabase)
  })
}

const adviceOn = (why: Error): string =>
  unavailabilityOf(why) === 'full'
    ? 'the embedded database has ended and nothing acknowledged is lost; make room on the disk of GUILDHALL_DATA_DIR and start anew'
    : 'the embedded database has ended by itself; look for the reason, such as a failing disk of GUILDHALL_DATA_DIR, and start anew'

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
  const arePagesClosed = await settlesWithin(left(pagesMs), closePages())
  await jobsStopped
  if (!(await backgroundStopped)) services.log.warn('work in the background did not stop in time')
  const closeDatabase = async (): Promise<void> => {
    await services.link?.close()
    await services.database.close()
  }
  const isDatabaseClosed = await settlesWithin(left(databaseMs), closeDatabase())
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
