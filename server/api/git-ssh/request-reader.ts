import { GitHttpError, notUnderstood } from '../git/errors'

/** Reads a client's input on one connection: for fetches one request after another, for pushes everything that follows. */
export interface RequestReader {
  /**
   * Waits for the start of the next request; false once the client says that there is none, or has disconnected.
   * @throws {GitHttpError} 408 if the client sends nothing for too long.
   */
  begins(): Promise<boolean>
  /** Reads one request up to the flush packet that ends it. Git validates its content. */
  request(): AsyncGenerator<Buffer>
  /** Reads everything that follows. */
  rest(): AsyncGenerator<Buffer>
}

const flush = '0000'
const headBytes = 4

/** Creates a reader for a client that may be silent before each request, while it processes the last response. */
export function createRequestReader(source: AsyncIterator<Buffer>, timeoutMs: number): RequestReader {
  let held: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const { done, value } = await source.next()
    if (done) return false
    held = held.length === 0 ? value : Buffer.concat([held, value])
    return true
  }

  /** Removes this many bytes from the buffer and returns them. */
  function take(bytes: number): Buffer {
    const read = held.subarray(0, bytes)
    held = held.subarray(bytes)
    return read
  }

  return {
    async begins() {
      while (held.length < headBytes) if (!(await withDeadline(more(), timeoutMs))) return false
      return held.toString('latin1', 0, headBytes) !== flush
    },

    async *request() {
      let leftOfPacket = 0
      for (;;) {
        let end = Math.min(leftOfPacket, held.length)
        leftOfPacket -= end
        let isWhole = false
        while (!isWhole && leftOfPacket === 0 && held.length - end >= headBytes) {
          const length = packetLength(held, end)
          isWhole = length === 0
          const bytes = Math.max(headBytes, length)
          leftOfPacket = Math.max(0, bytes - (held.length - end))
          end += bytes - leftOfPacket
        }
        // Before the bytes are passed on, because a reader that has them all reads no further.
        const bytes = take(end)
        if (bytes.length > 0) yield bytes
        if (isWhole || !(await more())) return
      }
    },

    async *rest() {
      do {
        const bytes = take(held.length)
        if (bytes.length > 0) yield bytes
      } while (await more())
    },
  }
}

// Lengths below that of the header itself are special packets: the end of a request, or of a section of it.
function packetLength(bytes: Buffer, at: number): number {
  const text = bytes.toString('latin1', at, at + headBytes)
  if (!/^[0-9a-f]{4}$/i.test(text)) throw notUnderstood()
  return Number.parseInt(text, 16)
}

async function withDeadline<T>(moved: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      moved,
      new Promise<never>((_, reject) => {
        const tooLong = new GitHttpError(408, 'Timed out waiting for a request. Reconnect and try again.')
        timer = setTimeout(() => reject(tooLong), timeoutMs)
      }),
    ])
  } finally {
    clearTimeout(timer)
    moved.catch(() => undefined)
  }
}
