import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  /** The module that it runs: it sends a message once it is loaded, and answers each message with one. */
  file: string
  /** A call that takes longer, once the module is loaded, ends the thread if it had the processor for so long. */
  deadlineMs: number
  /** A call that takes longer ends the thread, also where others kept the processor from it. */
  longestMs: number
  /** Of values, in MiB; a call that needs more ends the thread. */
  memoryMb: number
  /** It ends after so long without a call. */
  idleMs: number
}

/** A thread that is started for a call and ends when it has had none for a while. It takes one call at a time. */
export type Thread = (message: unknown) => Promise<unknown>

/** A call had no answer within the limits of its thread. */
export class ThreadLimit extends Error {
  override readonly name = 'ThreadLimit'
  /** With `processor` it had no time of its own: the call may not be what takes so long. */
  constructor(readonly limit: 'time' | 'memory' | 'processor') {
    super(`the thread reached its limit of ${limit}`)
  }
}

/** A thread could not be started, or ended by itself before it answered. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
}

// On a busy machine, and without counting against the call that it is started for.
const startMs = 15_000

interface Running {
  worker: Worker
  isLoaded: boolean
}

/** Makes a thread for work that would hold up everything else. What it is sent and answers is copied. */
export function createThread({ file, deadlineMs, longestMs, memoryMb, idleMs }: ThreadOptions): Thread {
  const times = { deadlineMs, longestMs }
  let running: Running | undefined
  let ending: NodeJS.Timeout | undefined

  function start(): Running {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 8 }
    // It needs no setting of ours, and none of them is its to know.
    const worker = new Worker(file, { resourceLimits, env: {}, execArgv: [] })
    const started = { worker, isLoaded: false }
    worker.unref()
    // Whoever called it is told.
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

  return async message => {
    clearTimeout(ending)
    running ??= start()
    const started = running
    try {
      if (!started.isLoaded) await load(started)
      return await nextMessage(started.worker, times, () => started.worker.postMessage(message))
    } catch (error) {
      // In what state it is, nobody knows.
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
      ? new ThreadEnded('the thread does not start', { cause: error })
      : error
  }
}

type Times = Pick<ThreadOptions, 'deadlineMs' | 'longestMs'>

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
      // Where this thread was held up, an answer may wait that came in time.
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

// Of whichever time ends first: what the call may take of the processor, or of the clock. Node tells the processor time of no
// single thread: this one counts as if it had always got the processor, so the others have had at least the rest.
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
