import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { unavailabilityOf } from '@/db/unavailable'
import type { JobRunner } from '@/server/jobs/runner'
import type { RunningWorkers } from '@/server/jobs/workers'
import { settlesWithin } from '@/server/kernel/settles-within'
import { endStreams } from '@/server/live'
import type { Services } from '@/server/services'

// Deadlines in milliseconds from the signal. Service managers and orchestrators commonly kill a process after
// 30 seconds.
const limits = { connectionsMs: 20_000, pagesMs: 24_000, databaseMs: 28_000 }
// Enough time to inform all clients that the site is unavailable.
const withoutDatabase: Partial<typeof limits> = { connectionsMs: 3_000, pagesMs: 4_000, databaseMs: 5_000 }

/** Components that run alongside the HTTP server and must end before the database closes. */
interface StoppedWith {
  jobs: JobRunner
  workers: RunningWorkers
  /** Servers that accept other connections, such as SSH. */
  listeners?: readonly { stop(deadlineMs: number): Promise<void> }[]
  closePages(): Promise<void>
}

/**
 * Stops the process cleanly on SIGTERM and SIGINT: accepts no new connections or jobs, lets open ones finish,
 * and then closes the database. Also stops, with exit code 1, if the embedded database has ended, because
 * only a new process can open it again.
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
    // A second Ctrl+C means "immediately".
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
    ? 'the embedded database has ended, but no acknowledged changes are lost; make room on the disk of GUILDHALL_DATA_DIR and start again'
    : 'the embedded database has ended unexpectedly; find the reason, such as a failing disk of GUILDHALL_DATA_DIR, and start again'

/**
 * Closes the server and the components it depends on within 28 seconds. Connections that last longer than 20
 * seconds are cut off.
 * @throws {Error} if the pages or the database do not close in time.
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
  // A kept-alive connection becomes idle only after its last response.
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
  if (!(await backgroundStopped)) services.log.warn('background work did not stop in time')
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
  /** Connections that have not sent a request yet. */
  unused: ReadonlySet<Socket>
}

// Node does not track upgraded connections, and treats connections that never send a request as busy. Both
// would delay the shutdown.
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
  // A request with `Expect: 100-continue` emits only the second event.
  for (const event of ['request', 'checkContinue'] as const) {
    server.on(event, (request: IncomingMessage) => unused.delete(request.socket))
  }
  return { open, unused }
}
