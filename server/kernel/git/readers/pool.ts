import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { tooBusy } from '../../errors'
import { createFairLimit } from '../../fair-limit'
import { singleton } from '../../singleton'
import { reportIfSlow } from '../run'
import { Reader, type ReaderForm } from './reader'

const processors = availableParallelism()
const mib = 1024 * 1024

const defaults = {
  /** How readers are started, until Git is found to be too old for it. */
  form: 'command' as ReaderForm,
  /** Number of readers that work at the same time, in total and of one repository. */
  concurrency: 2 * processors,
  perRepository: processors,
  maxQueue: 1000,
  waitMs: 30_000,
  maxIdle: 16,
  maxIdleBytes: 256 * mib,
  idleMs: 60_000,
  // A reader keeps packs on disk that another process has deleted.
  maxAgeMs: 10 * 60_000,
}

/** Warm `git cat-file` processes of this process, at most 16 idle ones with 256 MiB in total. */
export interface ReaderPool {
  form: ReaderForm
  /**
   * Runs work with a reader of the repository that nobody else uses, an idle one unless `fresh` is set. While
   * all are busy, repositories take turns.
   * @throws {DomainError} tooManyRequests if 1,000 calls are queued, or after 30 seconds in the queue
   */
  use<T>(
    repository: string,
    options: { fresh: boolean; signal: AbortSignal | undefined },
    work: (reader: Reader) => Promise<T>,
  ): Promise<T>
  /** Ends the idle readers of a repository now, and those at work as soon as they have answered. */
  end(repository: string): void
  /** Returns the process IDs of the idle readers, the one that was used last at the end. */
  idlePids(): number[]
}

interface Idle {
  reader: Reader
  bytes: number
  timer: NodeJS.Timeout
}

// The memory that Git keeps for delta bases, on systems that do not tell how much a process uses.
const assumedBytes = 16 * mib

// A reader that is used again at once need not be measured.
const measureMs = 100

/** Creates a pool of readers, initially empty. */
export function createReaderPool(options: Partial<typeof defaults> = {}): ReaderPool {
  const limits = { ...defaults, ...options }
  const { concurrency, perRepository, maxQueue, waitMs: timeoutMs } = limits
  // To the limiter, each repository is the address of a client.
  const shares = { address: perRepository, anonymousAddress: perRepository, anonymous: concurrency }
  const limit = createFairLimit({ concurrency, maxQueue, timeoutMs, ...shares }, tooBusy)
  const working = new Set<Reader>()
  // Those that were used least recently come first.
  const idle: Idle[] = []

  function drop(entry: Idle): void {
    clearTimeout(entry.timer)
    idle.splice(idle.indexOf(entry), 1)
    entry.reader.end()
  }

  function takeIdle(repository: string): Reader | undefined {
    for (const entry of idle.filter(({ reader }) => reader.repository === repository).reverse()) {
      if (!entry.reader.isUsable) {
        drop(entry)
        continue
      }
      clearTimeout(entry.timer)
      idle.splice(idle.indexOf(entry), 1)
      return entry.reader
    }
    return undefined
  }

  function keep(reader: Reader): void {
    if (!reader.isUsable || performance.now() - reader.startedAt > limits.maxAgeMs) return void reader.end()
    const timer = setTimeout(() => void measure(entry), measureMs).unref()
    const entry: Idle = { reader, bytes: assumedBytes, timer }
    idle.push(entry)
    trim()
  }

  async function measure(entry: Idle): Promise<void> {
    entry.timer = setTimeout(() => drop(entry), limits.idleMs).unref()
    const found = await Promise.all(entry.reader.pids.map(memoryOf))
    entry.bytes = found.reduce((sum, bytes) => sum + bytes, 0)
    trim()
  }

  function trim(): void {
    const total = (): number => idle.reduce((sum, { bytes }) => sum + bytes, 0)
    while (idle[0] && (idle.length > limits.maxIdle || total() > limits.maxIdleBytes)) drop(idle[0])
  }

  return {
    form: limits.form,
    async use(repository, { fresh, signal }, work) {
      const client = { address: repository, isAnonymous: false, disconnected: signal && (() => signal) }
      const run = async () => {
        const reader = (fresh ? undefined : takeIdle(repository)) ?? new Reader(repository, this.form)
        working.add(reader)
        const begun = performance.now()
        try {
          return await work(reader)
        } finally {
          working.delete(reader)
          keep(reader)
          reportIfSlow('cat-file', repository, begun)
        }
      }
      return await limit(client, run).catch(error => {
        signal?.throwIfAborted()
        throw error
      })
    },
    end(repository) {
      for (const entry of idle.filter(({ reader }) => reader.repository === repository)) drop(entry)
      for (const reader of working) if (reader.repository === repository) reader.isRetired = true
    },
    idlePids: () => idle.flatMap(({ reader }) => reader.pids),
  }
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? []
  return kib === undefined ? assumedBytes : Number(kib) * 1024
}

/** Returns the readers of this process. */
export const readerPool = (): ReaderPool => singleton('git-readers', () => createReaderPool())
