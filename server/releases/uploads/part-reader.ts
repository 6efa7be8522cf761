/** Reads a body in parts. */
export interface PartReader {
  /** Yields up to `bytes` bytes; fewer if the body ends or fails. Finish one part before you start the next. */
  part(bytes: number, seen: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array, void>
  /** Whether the body has ended or failed. */
  isEnded(): boolean
  /** The error that the body failed with, if any. */
  failure(): unknown
}

/**
 * Reads a body in parts. A failure ends the current part as if the body ended there, so the bytes received so far are
 * kept.
 */
export function readInParts(body: AsyncIterable<Uint8Array>): PartReader {
  const chunks = body[Symbol.asyncIterator]()
  let rest: Uint8Array | undefined
  let ended = false
  let failure: unknown

  async function next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = rest ? { done: false, value: rest } : await chunks.next()
      rest = undefined
      if (!done) return value
    } catch (error) {
      failure = error
    }
    ended = true
    return undefined
  }

  return {
    async *part(bytes, seen) {
      for (let left = bytes; left > 0; ) {
        const chunk = await next()
        if (!chunk) return
        const piece = chunk.subarray(0, left)
        if (piece.length < chunk.length) rest = chunk.subarray(left)
        left -= piece.length
        seen(piece)
        yield piece
      }
    },
    isEnded: () => ended,
    failure: () => failure,
  }
}
