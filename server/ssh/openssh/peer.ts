import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { GitSession } from '@/server/api/git-ssh/session'
import { type Frame, FrameReader, frameKind, sendFrames } from './wire'

/** A command that OpenSSH runs, at the other end of a connection. */
export interface Peer extends Pick<GitSession, 'input' | 'disconnected' | 'write' | 'printLine' | 'end'> {
  /** What it asks for, as sent; undefined if it is gone before, or says anything else. */
  request: Promise<string | undefined>
  /** Ends it with this exit code once it has taken everything. */
  exit(code: number): void
}

// A client that takes nothing anymore.
const closingMs = 60_000

/** Creates the peer of a new connection, which is cut off if nothing is asked for in time. */
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
    // What it still sends is read away until it hears that this is over.
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
      // After its exit, nothing can be said anymore: it would break off what is still on the way.
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
