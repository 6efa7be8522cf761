import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { unavailabilityOf } from '@/db/unavailable'
import type { JobRunner } from '@/server/jobs/runner'
import type { RunningWorkers } from '@/server/jobs/workers'
import { onHangup } from '@/server/kernel/processes/hangup'
import { ownState } from '@/server/kernel/processes/states'
import { type Supervisor, supervisorOf } from '@/server/kernel/processes/supervised'
import { settlesWithin } from '@/server/kernel/settles-within'
import { endStreams } from '@/server/live'
import type { Services } from '@/server/services'
import { drainConnections, trackQuietTimes } from './drain'

// Deadlines in milliseconds from the signal. Service managers and orchestrators commonly kill a process after
// 30 seconds.
const limits = { connectionsMs: 20_000, pagesMs: 24_000, databaseMs: 28_000 }
// Enough time to inform all clients that the site is unavailable.
const withoutDatabase: Partial<typeof limits> = { connectionsMs: 3_000, pagesMs: 4_000, databaseMs: 5_000 }

// Deadline for the open requests of a process that was replaced. In the meantime, others serve.
const retireMs = 60 * 60_000
// Time in which clients that have just connected over SSH send their command.
const newcomersMs = 10_000

/** A server that accepts other connections than those of HTTP. */
export interface Listener {
  /**
   * Accepts no more connections, lets commands finish until the deadline, then disconnects the rest. A client
   * that has just connected can still send its command within `newcomersMs`.
   */
  stop(deadlineMs: number, newcomersMs?: number): Promise<void>
}

/** Components that run alongside the HTTP server and must end before the database closes. */
interface StoppedWith {
  jobs: JobRunner
  workers: RunningWorkers
  listeners?: readonly Listener[]
  closePages(): Promise<void>
}

/**
 * Stops the process cleanly on SIGTERM and SIGINT, or if its supervisor says so: accepts no new connections or
 * jobs, lets open ones finish, and then closes the database. A process that was replaced first waits, without a
 * deadline of seconds, until its open requests are done. Also stops, with exit code 1, if the embedded database
 * has ended, because only a new process can open it again.
 */
export function stopOnSignal(server: Server, services: Services, rest: StoppedWith): void {
  const sockets = trackSockets(server)
  const connections = trackQuietTimes(server)
  const stopping = new AbortController()
  const supervisor = supervisorOf()
  let isStopping = false
  let isSignaled = false
  let code = 0
  const stop = (signal: string, deadlines: Partial<typeof limits> = {}): void => {
    if (isStopping) return
    isStopping = true
    stopping.abort()
    services.log.info({ signal }, 'stopping')
    void shutDown(server, services, sockets, rest, deadlines)
      .then(() => supervisor && sayLast(supervisor, services))
      .then(
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
  const retire = async (): Promise<void> => {
    services.log.info('another process has taken over; finishing open requests')
    services.retiring = true
    endStreams(services)
    const { jobs, workers, listeners = [] } = rest
    await Promise.all([
      jobs.stop(),
      workers.stop(),
      ...listeners.map(one => one.stop(retireMs, newcomersMs)),
      drainConnections(
        server,
        connections,
        AbortSignal.any([stopping.signal, AbortSignal.timeout(retireMs)]),
      ),
    ])
    stop('none')
  }
  if (supervisor) {
    supervisor.onOrder(order => (order === 'stop' ? stop('SIGTERM') : void retire()))
    process.on('SIGTERM', () => stop('SIGTERM'))
    // The terminal sends these to the supervisor, too, which then gives its orders.
    process.on('SIGINT', () => undefined)
    onHangup(
      () => undefined,
      () => undefined,
    )
  } else {
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    const warn = (): void =>
      services.log.warn(
        'SIGHUP replaces server processes only if there are several; restart this one instead',
      )
    onHangup(warn, () => stop('SIGHUP'))
  }
  void services.database.ended?.then(why => {
    services.log.fatal({ reason: why.message }, adviceOn(why))
    code = 1
    stop('none', withoutDatabase)
  })
}

// Its counters stay part of the totals.
async function sayLast(supervisor: Supervisor, { metrics }: Services): Promise<void> {
  await supervisor.sendLast({ ...ownState(), metrics: await metrics.values() })
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
