import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { EngineEnded } from '../end'
import type { Engine } from '../engine'
import type { Call, Reply } from './entry'

const here = fileURLToPath(import.meta.url)
// Commands can have any working directory. Tests run this module itself, and not a program in `dist`.
const folder = here.endsWith('.ts') ? join(dirname(here), '../../../dist') : dirname(here)
const file = join(folder, 'database-thread.js')

/** An engine in a thread of its own. */
export interface EngineThread extends Engine {
  /** Copies the files to a directory that does not exist, as they are between two calls. */
  copyFiles(to: string): Promise<void>
}

// Turbopack would replace a file that it can find with one of its own.
function startWorker(file: string, directory: string): Worker {
  // The thread needs none of our settings and must not have access to them.
  return new Worker(file, { workerData: { directory }, env: {}, execArgv: [] })
}

interface Waiting {
  resolve(reply: Uint8Array | undefined): void
  reject(error: Error): void
}

/**
 * Starts the engine of the database in a directory, which is created if it does not exist. It has a thread of its
 * own, so that no statement delays other work of the process. The thread ends with the process, however that ends.
 * @throws {Error} if the database cannot be created or opened.
 */
export async function startThread(directory: string): Promise<EngineThread> {
  const worker = startWorker(file, directory)
  const waiting: Waiting[] = []
  let ended: Error | undefined
  const end = (message: string): void => {
    ended ??= new EngineEnded(message)
    for (const { reject } of waiting.splice(0)) reject(ended)
  }
  worker.on('message', (reply: Reply) => {
    const first = waiting.shift()
    // A program that waits for nothing can end.
    if (waiting.length === 0) worker.unref()
    if (!reply || reply instanceof Uint8Array) first?.resolve(reply)
    else first?.reject(reply.isEnd ? new EngineEnded(reply.failure) : new Error(reply.failure))
  })
  worker.on('error', error => end(`its thread failed: ${error.message}`))
  worker.on('exit', () => end('its thread has ended'))

  const reply = (): Promise<Uint8Array | undefined> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended)
      if (waiting.push({ resolve, reject }) === 1) worker.ref()
    })
  const call = (what: Call): Promise<Uint8Array | undefined> => {
    // First, because it throws for a buffer that cannot be transferred; then no reply comes.
    worker.postMessage(what, what instanceof Uint8Array ? [what.buffer as ArrayBuffer] : [])
    return reply()
  }
  try {
    await reply()
  } catch (error) {
    await worker.terminate()
    throw error
  }
  return {
    execute: async messages => (await call(messages)) as Uint8Array,
    copyFiles: async to => void (await call({ copyTo: to })),
    async close() {
      await call('close')
      await worker.terminate()
    },
    abandon: async () => void (await worker.terminate()),
  }
}
