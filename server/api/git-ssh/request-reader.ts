import { GitHttpError, notUnderstood } from '../git/errors'

/** Reads what a client sends over one connection: for fetches a request after another, for pushes all that follows. */
export interface RequestReader {
  /**
   * Waits for the client to ask for something; false once it says that there is nothing more, or is gone.
   * @throws {GitHttpError} 408 when it stays silent for too long.
   */
  begins(): Promise<boolean>
  /** Reads one request to the empty packet at its end. Whether the rest comes in order is for git to say. */
  request(): AsyncGenerator<Buffer>
  /** Reads all that follows. */
  rest(): AsyncGenerator<Buffer>
}

const flush = '0000'
const headBytes = 4

/** Creates the reader of a client that may stay silent for so long before each request, while it works on what it got. */
export function createRequestReader(source: AsyncIterator<Buffer>, timeoutMs: number): RequestReader {
  let held: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const { done, value } = await source.next()
    if (done) return false
    held = held.length === 0 ? value : Buffer.concat([held, value])
    return true
  }

  /** Takes this many bytes of what is here. */
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
        // Before the bytes are passed on: whoever has them all asks for no more.
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

// Lengths below that of the head itself are marks: the end of a request, or of a part of it.
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
        const tooLong = new GitHttpError(408, 'Nothing was asked for; connect again when there is something.')
        timer = setTimeout(() => reject(tooLong), timeoutMs)
      }),
    ])
  } finally {
    clearTimeout(timer)
    moved.catch(() => undefined)
  }
}
