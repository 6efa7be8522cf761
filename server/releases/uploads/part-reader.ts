/** A reader that divides a request body into parts of limited size. */
export interface PartReader {
  /**
   * Yields up to `bytes` bytes of the body, and fewer if the body ends or fails. Calls `seen` with each
   * chunk. Finish one part before you start the next.
   */
  part(bytes: number, seen: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array, void>
  /** Returns whether the body has ended or failed. */
  isEnded(): boolean
  /** Returns the error with which the body failed; undefined if it has not failed. */
  failure(): unknown
}

/**
 * Returns a reader that divides a body into parts. If the body fails, the current part ends without an error,
 * so that the bytes received so far can be stored.
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
