import { connect } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { FrameReader, frameKind, type Request, sendFrames } from './wire'

interface Streams {
  /** Data to send to the process after the request; absent if there is none. */
  input?: Readable
  output: Writable
  messages: Writable
}

/** Error if the running process cannot be reached or the connection ends before it has responded. */
export class NotAnsweredError extends Error {}

/**
 * Sends a request to the process that listens on this socket, forwards data in both directions, and returns
 * the exit code.
 * @throws {NotAnsweredError} if no process listens, or the connection ends too early.
 */
export function converse(
  path: string,
  request: Request,
  { input, output, messages }: Streams,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const reader = new FrameReader()
    let failure = new NotAnsweredError('The connection to Guildhall was lost. Try again.')
    let code: number | undefined

    socket.once('connect', () => {
      sendFrames(socket, frameKind.request, Buffer.from(JSON.stringify(request)))
      input?.on('data', chunk => {
        if (!sendFrames(socket, frameKind.input, chunk)) input.pause()
      })
      input?.once('end', () => sendFrames(socket, frameKind.input, Buffer.alloc(0)))
      socket.on('drain', () => input?.resume())
    })
    const readIfSent = (): void => {
      if (output.writableNeedDrain || messages.writableNeedDrain) socket.pause()
      else socket.resume()
    }
    socket.on('data', chunk => {
      for (const { kind, bytes } of reader.read(chunk)) {
        if (kind === frameKind.output) output.write(bytes)
        else if (kind === frameKind.message) messages.write(bytes)
        else if (kind === frameKind.exit) code = bytes[0]
      }
      readIfSent()
    })
    for (const stream of [output, messages]) {
      stream.on('drain', readIfSent)
      // The client has disconnected.
      stream.once('error', () => socket.destroy())
    }
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.syscall === 'connect') failure = notConnected(error)
    })
    socket.once('close', () => {
      input?.pause()
      if (code !== undefined) resolve(code)
      else reject(failure)
    })
  })
}

// The message is shown to the person who runs Git and must not reveal paths of the server.
function notConnected({ code }: NodeJS.ErrnoException): NotAnsweredError {
  if (code === 'EACCES') return new NotAnsweredError('Only the user that runs Guildhall can open its socket.')
  return new NotAnsweredError('Guildhall is not running. Try again later.')
}
