import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { addCounters } from './ended-counters'
import {
  type Collected,
  type FromProcess,
  type FromSupervisor,
  type MetricValues,
  type ProcessReport,
  supervisedVariable,
} from './messages'
import { createSharedLimits } from './shared-limits'
import { keepUnaccepted } from './unaccepted'

const reportMs = 2_000

/** Environment that makes the allocator return more memory to the system: fewer arenas, and fixed thresholds. */
export const allocatorEnvironment = {
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
  MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? '131072',
  MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ ?? '131072',
}

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

/** One server process. */
export interface Member {
  pid: number
  /** Time of its start, as `performance.now()`. */
  since: number
  isReady: boolean
  /** Resolves to true once it has started completely, and to false if it ended before. */
  ready: Promise<boolean>
  ended: Promise<Ended>
  /** Lets it finish its open requests and exit. */
  retire(): void
}

interface Members {
  start(options?: { isFirst?: boolean }): Member
  countRestart(): void
  /** Stops all processes. Resolves to whether all of them that had started exited with code 0. */
  stop(): Promise<boolean>
}

interface Options {
  umask: number
  /** Number of processes that should run. */
  wanted: number
  onEnded(member: Member, how: Ended): void
}

/** What only the supervisor knows of a process. */
interface Known {
  worker: Worker
  isRetired: boolean
  last?: ProcessReport
}

/** Creates the server processes and answers what they ask. */
export function createMembers({ umask, wanted, onEnded }: Options): Members {
  const all = new Map<Member, Known>()
  const holderOf = createSharedLimits()
  const reports = new Map<number, (report: ProcessReport) => void>()
  let lastId = 0
  let restarts = 0
  let ended: MetricValues[] = []

  async function collect(): Promise<Collected> {
    const ready = [...all].filter(([{ isReady }]) => isReady)
    const found = await Promise.all(ready.map(([, one]) => report(one)))
    return { reports: found.flatMap(one => one ?? []), ended, wanted, restarts }
  }

  /** Asks a process for its state. One that does not answer in time is described by its last report. */
  async function report(one: Known): Promise<ProcessReport | undefined> {
    const id = ++lastId
    const answer = new Promise<void>(resolve => {
      reports.set(id, received => {
        one.last = received
        resolve()
      })
    })
    send(one.worker, { type: 'report', id })
    await Promise.race([answer, delay(reportMs, undefined, { ref: false })])
    reports.delete(id)
    return one.last
  }

  function start({ isFirst = false } = {}): Member {
    const worker = cluster.fork({
      [supervisedVariable]: JSON.stringify({ isFirst, umask }),
      ...allocatorEnvironment,
    })
    const slots = holderOf(message => send(worker, message))
    let settleReady: (isReady: boolean) => void = () => undefined
    const known: Known = { worker, isRetired: false }
    const member: Member = {
      pid: worker.process.pid ?? 0,
      since: performance.now(),
      isReady: false,
      ready: new Promise(resolve => {
        settleReady = resolve
      }),
      ended: new Promise(resolve => {
        worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => resolve({ code, signal }))
      }),
      retire() {
        known.isRetired = true
        end(member, worker, 'retire')
      },
    }
    all.set(member, known)
    keepUnaccepted(worker, () =>
      [...all].some(([other, { isRetired }]) => other !== member && other.isReady && !isRetired),
    )
    // Such as of a message to a process that was just killed.
    worker.on('error', () => undefined)
    worker.on('message', (message: FromProcess) => {
      if (message.type === 'acquire') slots.acquire(message)
      else if (message.type === 'release') slots.release(message.id)
      else if (message.type === 'collect') {
        const { id } = message
        void collect().then(found => send(worker, { type: 'collected', id, all: found }))
      } else if (message.type === 'ready') {
        member.isReady = true
        settleReady(true)
      } else if (message.id === undefined) known.last = message.report
      else reports.get(message.id)?.(message.report)
    })
    void member.ended.then(how => {
      slots.releaseAll()
      all.delete(member)
      ended = addCounters(ended, known.last?.metrics ?? [])
      settleReady(false)
      onEnded(member, how)
    })
    return member
  }

  return {
    start,
    countRestart: () => void restarts++,
    async stop() {
      const codes = [...all].map(async ([member, { worker }]) => {
        const wasReady = member.isReady
        end(member, worker, 'stop')
        const { code } = await member.ended
        return wasReady ? code : 0
      })
      return (await Promise.all(codes)).every(code => code === 0)
    },
  }
}

// A process that is still starting listens to no order yet.
function end(member: Member, worker: Worker, type: 'stop' | 'retire'): void {
  if (member.isReady) send(worker, { type })
  else worker.process.kill('SIGTERM')
}

function send(worker: Worker, message: FromSupervisor): void {
  if (worker.isConnected()) worker.send(message, undefined, () => undefined)
}
