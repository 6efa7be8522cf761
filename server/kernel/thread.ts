import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  /**
   * File of the module that the thread runs. The module sends a message once it is loaded, and responds to
   * each message with one message.
   */
  file: string
  /**
   * Time limit in milliseconds for a call, once the module is loaded. It counts only while the thread had the
   * processor; exceeding it stops the thread.
   */
  deadlineMs: number
  /**
   * Time limit in milliseconds for a call, including time in which other work kept the processor from the
   * thread; exceeding it stops the thread.
   */
  longestMs: number
  /** Memory limit for JavaScript values, in MiB; a call that needs more stops the thread. */
  memoryMb: number
  /** Time in milliseconds without a call after which the thread stops. */
  idleMs: number
}

/** Time limits of a call to a worker thread, in milliseconds. */
type Times = Pick<ThreadOptions, 'deadlineMs' | 'longestMs'>

/**
 * Sends a message to a worker thread and returns the response. The thread is started on demand, stops after a
 * while without calls, and handles one call at a time. A call can have time limits of its own.
 */
export type Thread = (message: unknown, own?: Times) => Promise<unknown>

/** Error of a call that exceeded the time or memory limit of a worker thread. */
export class ThreadLimit extends Error {
  override readonly name = 'ThreadLimit'
  /** `processor` means that other work kept the processor busy, so the call itself may not be slow. */
  constructor(readonly limit: 'time' | 'memory' | 'processor') {
    super(`the thread reached its limit of ${limit}`)
  }
}

/** Error of a call to a worker thread that could not be started, or that stopped before it responded. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

// Generous, for a busy machine. The start does not count toward the time limit of the call.
const startMs = 15_000

interface Running {
  worker: Worker
  isLoaded: boolean
}

/**
 * Creates a worker thread for computations that would block the event loop. Messages and responses are
 * copied.
 */
export function createThread({ file, deadlineMs, longestMs, memoryMb, idleMs }: ThreadOptions): Thread {
  const times = { deadlineMs, longestMs }
  let running: Running | undefined
  let ending: NodeJS.Timeout | undefined

  function start(): Running {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 8 }
    // The thread needs none of our settings and must not have access to them.
    const worker = new Worker(file, { resourceLimits, env: {}, execArgv: [] })
    const started = { worker, isLoaded: false }
    worker.unref()
    // The caller receives the error.
    worker.on('error', () => undefined)
    worker.on('exit', () => forget(started))
    return started
  }

  function forget(ended: Running): void {
    if (running === ended) running = undefined
  }

  async function end(ended: Running): Promise<void> {
    forget(ended)
    await ended.worker.terminate()
  }

  return async (message, own = times) => {
    clearTimeout(ending)
    running ??= start()
    const started = running
    try {
      if (!started.isLoaded) await load(started)
      return await nextMessage(started.worker, own, () => started.worker.postMessage(message))
    } catch (error) {
      // The state of the thread is unknown.
      await end(started)
      throw error
    } finally {
      ending = setTimeout(() => running && void end(running), idleMs)
      ending.unref()
    }
  }
}

async function load(started: Running): Promise<void> {
  try {
    await nextMessage(started.worker, { deadlineMs: startMs, longestMs: startMs })
    started.isLoaded = true
  } catch (error) {
    throw error instanceof ThreadLimit
      ? new ThreadEnded('the thread did not start in time', { cause: error })
      : error
  }
}

async function nextMessage(worker: Worker, times: Times, ask = () => {}): Promise<unknown> {
  const heard = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const fail = (error: Error) => reject(isOutOfMemory(error) ? new ThreadLimit('memory') : endedBy(error))
      const stop = () => reject(new ThreadEnded('the thread has ended'))
      const msLeft = countDown(times)
      const giveUp = (): void => {
        if (heard.signal.aborted) return
        const { ms, limit } = msLeft()
        if (ms > 0) timer = setTimeout(giveUpSoon, ms)
        else reject(new ThreadLimit(limit))
      }
      // If this thread was blocked, a response that arrived in time may be waiting.
      const giveUpSoon = (): void => void setImmediate(giveUp)
      timer = setTimeout(giveUpSoon, times.deadlineMs)
      for (const [event, listener] of [
        ['message', resolve],
        ['messageerror', fail],
        ['error', fail],
        ['exit', stop],
      ] as const) {
        worker.once(event, listener as () => void)
        heard.signal.addEventListener('abort', () => worker.off(event, listener as () => void))
      }
      ask()
    })
  } finally {
    clearTimeout(timer)
    heard.abort()
  }
}

// Counts down whichever limit is reached first: processor time or elapsed time. Node does not report the
// processor time of a single thread. This thread is assumed to have had the processor whenever it was active,
// so the other threads have had at least the rest.
function countDown({ deadlineMs, longestMs }: Times): () => { ms: number; limit: 'time' | 'processor' } {
  const asked = performance.now()
  const used = process.cpuUsage()
  const own = performance.eventLoopUtilization()
  return () => {
    const { user, system } = process.cpuUsage(used)
    const hadMs = (user + system) / 1000 - performance.eventLoopUtilization(own).active
    const ofProcessor = Math.ceil(deadlineMs - hadMs)
    const ofClock = Math.ceil(asked + longestMs - performance.now())
    return ofProcessor <= 0
      ? { ms: 0, limit: 'time' }
      : { ms: Math.min(ofProcessor, ofClock), limit: 'processor' }
  }
}

const endedBy = (cause: Error): ThreadEnded => new ThreadEnded(cause.message, { cause })
const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
