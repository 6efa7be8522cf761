import { createHash } from 'node:crypto'
import { tooLarge } from '../errors'
import type { PutPartOptions, StoredObject } from './types'

/** The bytes of a source on their way into the storage. */
export interface Meter {
  /** What comes, gathered so that it is written in few large writes; the last block is smaller. None is empty. */
  blocks: AsyncGenerator<Uint8Array[], void>
  /** Of all that the blocks held; to be called once. */
  stored(): StoredObject
}

// One call of the system takes no more buffers than 1024.
const mostChunks = 1024

/**
 * Counts and hashes what comes from a source while it is gathered into blocks of at least `blockBytes`. No chunk is copied.
 * The blocks fail with the source, with the reason of the signal, or with tooLarge; where partial content is to be kept,
 * they end there instead, but not where it is too large.
 */
export function meter(
  source: AsyncIterable<Uint8Array>,
  { limitBytes = Infinity, tooLargeMessage, signal, keepPartial }: PutPartOptions,
  blockBytes: number,
): Meter {
  const hash = createHash('sha256')
  let size = 0

  async function* gather(): AsyncGenerator<Uint8Array[], void> {
    let block: Uint8Array[] = []
    let bytes = 0
    try {
      for await (const chunk of untilAborted(source, signal)) {
        if (chunk.byteLength === 0) continue
        if (size + chunk.byteLength > limitBytes) {
          size = Infinity
          throw tooLarge(tooLargeMessage ?? `the file exceeds the limit of ${limitBytes} bytes`)
        }
        size += chunk.byteLength
        hash.update(chunk)
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

  return { blocks: gather(), stored: () => ({ size, sha256: hash.digest() }) }
}

/** Passes on what a source gives; fails with the reason of the signal as soon as it is aborted. */
async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  if (!signal) return yield* source
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
    // A generator that waits for more would not return before that comes.
    if (!ended) void iterator.return?.().then(undefined, () => undefined)
  }
}
