/** A body that is read in parts, each as it comes. */
export interface PartReader {
  /** The next so many bytes; less where the body ends or fails. To be read to its end before the next. */
  part(bytes: number, seen: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array, void>
  /** No more is to come. */
  isEnded(): boolean
  /** What the body failed of. */
  failure(): unknown
}

/** Reads a body in parts. A failure ends the part under way as if the body had ended there, so that what came is kept. */
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
