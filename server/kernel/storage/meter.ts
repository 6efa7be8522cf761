import { createHash } from 'node:crypto'
import { tooLarge } from '../errors'
import type { PutPartOptions, StoredObject } from './types'

/** The bytes of a stream, counted and grouped into blocks. */
export interface Meter {
  /** The bytes in blocks for a few large writes. The last block may be smaller, but none is empty. */
  blocks: AsyncGenerator<Uint8Array[], void>
  /** Returns the number of bytes so far. */
  size(): number
}

/**
 * Stores the bytes of a stream and hashes them with SHA-256 at the same time. `store` must return the number
 * of stored bytes.
 */
export async function hashWhile(
  source: AsyncIterable<Uint8Array>,
  store: (source: AsyncIterable<Uint8Array>) => Promise<number>,
): Promise<StoredObject> {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
  const size = await store(hashed())
  return { size, sha256: hash.digest() }
}

// `writev` accepts at most 1,024 buffers.
const mostChunks = 1024

/**
 * Counts the bytes of a stream and groups them into blocks of at least `blockBytes`, without copying chunks.
 * Iterating over the blocks throws the error of the stream, the reason of the abort signal, or tooLarge. With
 * `keepPartial`, iteration ends instead of throwing, unless the stream is too large.
 */
export function meter(
  source: AsyncIterable<Uint8Array>,
  { limitBytes = Infinity, tooLargeMessage, signal, keepPartial }: PutPartOptions,
  blockBytes: number,
): Meter {
  let size = 0

  async function* gather(): AsyncGenerator<Uint8Array[], void> {
    let block: Uint8Array[] = []
    let bytes = 0
    try {
      for await (const chunk of signal ? untilAborted(source, signal) : source) {
        if (chunk.byteLength === 0) continue
        if (size + chunk.byteLength > limitBytes) {
          size = Infinity
          throw tooLarge(tooLargeMessage ?? `the file exceeds the limit of ${limitBytes} bytes`)
        }
        size += chunk.byteLength
        block.push(chunk)
        bytes += chunk.byteLength
        if (bytes < blockBytes && block.length < mostChunks) continue
        yield block
        block = []
        bytes = 0
      }
    } catch (error) {
      if (!keepPartial || size === Infinity) throw error
    }
    if (bytes > 0) yield block
  }

  return { blocks: gather(), size: () => size }
}

/** Iterates over a source and throws the signal's reason as soon as the signal is aborted. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  signal.throwIfAborted()
  const iterator = source[Symbol.asyncIterator]()
  let giveUp = (_reason: unknown) => {}
  const onAbort = () => giveUp(signal.reason)
  signal.addEventListener('abort', onAbort)
  let ended = false
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject
        iterator.next().then(resolve, reject)
      })
      ended = next.done === true
      if (ended) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: a generator that waits for data would not return before data arrives.
    if (!ended) void iterator.return?.().then(undefined, () => undefined)
  }
}
