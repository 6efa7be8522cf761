/**
 * Kinds of frames that the process and the commands run by OpenSSH exchange over the socket. The command
 * sends one request, then the client's input; the process sends output, messages, and finally an exit code. A
 * frame consists of one byte for its kind, four bytes for its length, and its content.
 */

export const frameKind = {
  /** A `Request` as JSON; always the first frame. */
  request: 1,
  /** Data from the client; an empty frame ends it. */
  input: 2,
  output: 3,
  /** Lines for the person, written to standard error. */
  message: 4,
  /** Exit code as one byte; always the last frame. */
  exit: 5,
} as const

export interface Frame {
  kind: number
  bytes: Buffer
}

/** Request to find a key by its type and base64 content. */
export interface KeyRequest {
  kind: 'key'
  type: string
  blob: string
}

/** Request to run a command for the client that signed in with the key of this ID. */
export interface CommandRequest {
  kind: 'command'
  key: number
  /** The client's command; absent if it requests a shell. */
  command?: string
  /** The client's value of GIT_PROTOCOL. */
  protocol: string
  /** IP address of the client. */
  address: string
}

export type Request = KeyRequest | CommandRequest

/** Maximum length of a command in characters. No Git command is longer. */
export const maxCommandLength = 4096

const headBytes = 5
const maxFrameBytes = 64 * 1024

/** Writes bytes as frames. Returns false if the other side must read some of them before more are sent. */
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

/** Splits received bytes into frames. */
export class FrameReader {
  #held: Buffer = Buffer.alloc(0)

  /**
   * Adds received bytes and returns the frames that are complete.
   * @throws {Error} if a frame exceeds the maximum length.
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
