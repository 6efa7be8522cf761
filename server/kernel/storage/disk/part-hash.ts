import { Worker } from 'node:worker_threads'
import { notFound } from '../../errors'
import type { PartHash } from '../types'
import type { Disk } from './write-file'

/**
 * Starts a SHA-256 hash of the files that contain an object's uploaded parts. A worker thread reads and
 * hashes them, so that other requests are not blocked.
 */
export function hashPartFiles(pathOf: (part: number) => string, asking: Disk['asking']): PartHash {
  return start(undefined)

  function start(from: number | undefined): PartHash {
    const id = nextId++
    // Calls are processed in order, so a failure here also appears in the next call.
    const started = callWorker('start', { id, from })
    started.catch(() => undefined)
    return {
      async add(parts) {
        await asking(started)
        const adding = callWorker('add', { id, paths: parts.map(pathOf) })
        await asking(adding.catch(missing))
      },
      copy: () => start(id),
      digest: async () => Buffer.from((await asking(callWorker('digest', { id }))) as Uint8Array),
      release: () => void callWorker('release', { id }).catch(() => undefined),
    }
  }
}

function missing(error: unknown): never {
  throw error instanceof Error && 'code' in error && error.code === 'ENOENT' ? notFound() : error
}

interface Answer {
  call: number
  result?: unknown
  failure?: { message: string; code?: string; syscall?: string }
}

let worker: Worker | undefined
let nextId = 0
let nextCall = 0
const calls = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()

function callWorker(name: string, input: object): Promise<unknown> {
  worker ??= startWorker()
  const call = nextCall++
  const answer = new Promise((resolve, reject) => calls.set(call, { resolve, reject }))
  worker.postMessage({ call, name, ...input })
  return answer
}

function startWorker(): Worker {
  const started = new Worker(new URL('./hash-worker.mjs', import.meta.url))
  started.unref()
  started.on('message', ({ call, result, failure }: Answer) => {
    const waiting = calls.get(call)
    calls.delete(call)
    if (failure) waiting?.reject(Object.assign(new Error(failure.message), failure))
    else waiting?.resolve(result)
  })
  // The hashes of the thread are lost. Their callers start over with a new thread.
  started.on('error', error => {
    worker = undefined
    for (const { reject } of calls.values()) reject(error)
    calls.clear()
  })
  return started
}
