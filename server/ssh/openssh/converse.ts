import { connect } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { FrameReader, frameKind, type Request, sendFrames } from './wire'

interface Streams {
  /** What the process is sent beside the request; absent for nothing. */
  input?: Readable
  output: Writable
  messages: Writable
}

/** The running process cannot be asked, or did not answer to the end. */
export class NotAnsweredError extends Error {}

/**
 * Sends a request to the process that listens at this path, passes on what both sides say, and returns the exit code.
 * @throws {NotAnsweredError} when nobody listens, or the connection ends too early.
 */
export function converse(
  path: string,
  request: Request,
  { input, output, messages }: Streams,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const reader = new FrameReader()
    let failure = new NotAnsweredError('The connection to Guildhall was lost; try again.')
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
      // Whoever asked is gone.
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

// It is shown to whoever runs git, who is not to learn of our paths.
function notConnected({ code }: NodeJS.ErrnoException): NotAnsweredError {
  if (code === 'EACCES') return new NotAnsweredError('Only the user that runs Guildhall may open its socket.')
  return new NotAnsweredError('Guildhall does not run at this time; try again later.')
}
