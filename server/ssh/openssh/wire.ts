/**
 * What the commands that OpenSSH runs and the process say to each other over its socket: one request, then what the client
 * sends, and back what it gets and an exit code. A frame is a byte for its kind, four for its length, and that many bytes.
 */

export const frameKind = {
  /** A `Request` as JSON; always first. */
  request: 1,
  /** What the client sends; empty once there is no more. */
  input: 2,
  output: 3,
  /** Lines for the person, as standard error has them. */
  message: 4,
  /** One byte; always last. */
  exit: 5,
} as const

export interface Frame {
  kind: number
  bytes: Buffer
}

/** Asks which key of ours has this type and these bytes, in base64. */
export interface KeyRequest {
  kind: 'key'
  type: string
  blob: string
}

/** Runs a command for whoever signed in with the key of this id. */
export interface CommandRequest {
  kind: 'command'
  key: number
  /** Absent where a shell is asked for. */
  command?: string
  /** What the client says in GIT_PROTOCOL. */
  protocol: string
  /** Of the client. */
  address: string
}

export type Request = KeyRequest | CommandRequest

/** Longer ones are none of git's. */
export const maxCommandLength = 4096

const headBytes = 5
const maxFrameBytes = 64 * 1024

/** Writes bytes as frames. Returns false once the other side has to take some before it is sent more. */
export function sendFrames(
  socket: { cork(): void; uncork(): void; write(bytes: Uint8Array): boolean },
  kind: number,
  bytes: Uint8Array,
): boolean {
  let takesMore = true
  socket.cork()
  for (let at = 0; at === 0 || at < bytes.length; at += maxFrameBytes) {
    const part = bytes.subarray(at, at + maxFrameBytes)
    const head = Buffer.alloc(headBytes)
    head.writeUInt8(kind)
    head.writeUInt32BE(part.length, 1)
    takesMore = socket.write(head)
    if (part.length > 0) takesMore = socket.write(part)
  }
  socket.uncork()
  return takesMore
}

/** Cuts what arrives into frames. */
export class FrameReader {
  #held: Buffer = Buffer.alloc(0)

  /**
   * Takes what has arrived, and returns the frames that are whole by now.
   * @throws {Error} for a frame that is longer than any may be.
   */
  read(chunk: Buffer): Frame[] {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    const frames: Frame[] = []
    while (this.#held.length >= headBytes) {
      const length = this.#held.readUInt32BE(1)
      if (length > maxFrameBytes) throw new Error('a frame is too long')
      const end = headBytes + length
      if (this.#held.length < end) break
      frames.push({ kind: this.#held.readUInt8(), bytes: this.#held.subarray(headBytes, end) })
      this.#held = this.#held.subarray(end)
    }
    return frames
  }
}
