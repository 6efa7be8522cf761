import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { GitSession } from '@/server/api/git-ssh/session'
import { type Frame, FrameReader, frameKind, sendFrames } from './wire'

/** A command that OpenSSH runs, as the other end of a connection to the process. */
export interface Peer extends Pick<GitSession, 'input' | 'disconnected' | 'write' | 'printLine' | 'end'> {
  /** The command's request as sent; undefined if it disconnects first or sends anything else. */
  request: Promise<string | undefined>
  /** Ends the command with this exit code after it has received all output. */
  exit(code: number): void
}

// Limit for clients that stop reading.
const closingMs = 60_000

/**
 * Creates the peer of a new connection. It is disconnected if it sends no request within `requestMs`
 * milliseconds.
 */
export function createPeer(socket: Socket, requestMs: number): Peer {
  const disconnected = new AbortController()
  const reader = new FrameReader()
  let asked: (request: string | undefined) => void
  const request = new Promise<string | undefined>(resolve => {
    asked = resolve
  })
  let isAsked = false
  let isOver = false
  const tooLate = setTimeout(() => socket.destroy(), requestMs)
  const input = new Readable({ read: () => void socket.resume() })
  input.on('error', () => undefined)

  const receive = ({ kind, bytes }: Frame): void => {
    if (isOver) return
    if (!isAsked) {
      isAsked = true
      clearTimeout(tooLate)
      asked(kind === frameKind.request ? bytes.toString() : undefined)
    } else if (kind !== frameKind.input) socket.destroy()
    else if (input.destroyed) return
    else if (bytes.length === 0) input.push(null)
    else if (!input.push(bytes)) socket.pause()
  }
  socket.on('data', chunk => {
    try {
      for (const frame of reader.read(chunk)) receive(frame)
    } catch {
      socket.destroy()
    }
  })
  const end = (): void => {
    clearTimeout(tooLate)
    disconnected.abort()
    input.push(null)
    asked(undefined)
  }
  const exit = (code: number): void => {
    if (isOver || disconnected.signal.aborted) return
    isOver = true
    sendFrames(socket, frameKind.exit, Buffer.of(code))
    socket.end()
    // Reads and discards what the client still sends until it learns that the command has ended.
    socket.resume()
    const closing = setTimeout(() => socket.destroy(), closingMs)
    socket.once('close', () => clearTimeout(closing))
  }
  socket.once('end', end)
  socket.once('close', end)
  socket.on('error', () => socket.destroy())

  return {
    request,
    input,
    disconnected: disconnected.signal,
    async write(bytes) {
      if (disconnected.signal.aborted) throw new Error('the client is gone')
      if (!sendFrames(socket, frameKind.output, bytes))
        await once(socket, 'drain', { signal: disconnected.signal })
    },
    printLine(line) {
      // After the exit frame, a message would interrupt output that is still being sent.
      if (!isOver && !disconnected.signal.aborted)
        sendFrames(socket, frameKind.message, Buffer.from(`${line}\n`))
    },
    end() {
      exit(1)
      end()
    },
    exit,
  }
}
