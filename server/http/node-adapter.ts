import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Answer, type Call, collect, readAway } from '@/server/kernel/http/call'

interface Surroundings {
  /** Headers to send in addition to those of the answer: names and values in turns. */
  headers?: readonly string[]
  /** Called before the first byte of the request body is read. */
  invite?: () => void
}

/**
 * Passes a request of Node's HTTP server to a handler and sends the response, with back-pressure in both
 * directions. Creates no web `Request` or `Response`.
 */
export async function answerCall(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (call: Call) => Promise<Answer>,
  { headers = [], invite = () => undefined }: Surroundings = {},
): Promise<void> {
  const answer = await handle(callOf(incoming, invite))
  if (!incoming.complete) readRestAway(incoming, outgoing)
  await sendAnswer(answer, outgoing, { headers, isHead: incoming.method === 'HEAD' })
}

// Far more than is in transit when a client sees the response, because some clients send everything before
// they read it.
const mostReadAway = 512 * 1024 * 1024
const readAwayMs = 30_000

/**
 * Reads and discards the rest of a request body after the response, up to a limit. Closing the connection
 * while data arrives would reset it, and the client might lose the response.
 */
function readRestAway(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming
  outgoing.once('finish', () => {
    const [end, most] = [Date.now() + readAwayMs, socket.bytesRead + mostReadAway]
    const check = setInterval(() => {
      if (incoming.complete || socket.destroyed) clearInterval(check)
      else if (Date.now() > end || socket.bytesRead > most) socket.destroy()
    }, 100)
    readAway(incoming)
  })
  // Node calls `destroySoon` to close a connection immediately. Half-close it instead, and destroy it once
  // the body has been read.
  socket.destroySoon = () => socket.end()
  incoming.once('close', () => {
    socket.destroySoon = Socket.prototype.destroySoon
    if (socket.writableEnded) socket.destroySoon()
  })
}

function callOf(incoming: IncomingMessage, invite: () => void): Call {
  const target = incoming.url ?? '/'
  const mark = target.indexOf('?')
  const headers = {
    get(name: string): string | null {
      const value = incoming.headers[name]
      return value === undefined ? null : String(value)
    },
  }
  const stream = () => {
    invite()
    return incoming
  }
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    // The stream is not destroyed if the body is refused, because that would close the connection before the
    // response is sent.
    body: limitBytes => collect(() => stream().iterator({ destroyOnReturn: false }), headers, limitBytes),
    stream,
  }
}

// What observes a response adds four, and a pipeline seven.
const maxListeners = 16

/** Sends a response. Its head and a text as its body are one write. */
export async function sendAnswer(
  { status, headers, body }: Answer,
  outgoing: ServerResponse,
  more: { headers: readonly string[]; isHead: boolean },
): Promise<void> {
  // A flat list is what Node stores, without the copies that it makes of other forms.
  const fields: (string | string[])[] = [...more.headers]
  const isText = body !== undefined && !(body instanceof Readable)
  for (const name in headers) {
    if (isText && isContentLength(name)) continue
    fields.push(name, headers[name] as string | string[])
  }
  if (!(body instanceof Readable)) {
    if (isText) fields.push('Content-Length', String(Buffer.byteLength(body)))
    outgoing.writeHead(status, fields).end(body)
    return
  }
  outgoing.writeHead(status, fields)
  if (more.isHead) {
    body.destroy()
    outgoing.end()
    return
  }
  outgoing.setMaxListeners(maxListeners)
  try {
    await pipeline(body, outgoing)
  } catch (error) {
    // The client disconnected or the source ended early. Both streams have been destroyed.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

const isContentLength = (name: string): boolean =>
  name.length === 14 && name.toLowerCase() === 'content-length'
