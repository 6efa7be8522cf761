import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Answer, type Call, collect, readAway } from '@/server/kernel/http/call'

/**
 * Puts one of Node's requests before a handler of calls and sends its answer, both ways with back-pressure. Nothing of
 * the web's classes is built on the way. `invite` is called once before anything of the body is read.
 */
export async function answerCall(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (call: Call) => Promise<Answer>,
  invite: () => void = () => undefined,
): Promise<void> {
  const answer = await handle(callOf(incoming, invite))
  if (!incoming.complete) readRestAway(incoming, outgoing)
  await send(answer, incoming.method === 'HEAD', outgoing)
}

// Far more than is under way when a client sees the answer: some send all before they look for one.
const mostReadAway = 512 * 1024 * 1024
const readAwayMs = 30_000

/**
 * Reads away what is still coming of a body once it is answered, as far as that is worth it. Ending the connection while
 * more arrives would reset it, and the client could lose the answer.
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
  // Node ends a connection that is not kept with this, at once: the client is told the same, and only then left.
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
    // Left open when it is refused: otherwise the connection would end before the answer.
    body: limitBytes => collect(() => stream().iterator({ destroyOnReturn: false }), headers, limitBytes),
    stream,
  }
}

async function send(
  { status, headers, body }: Answer,
  isHead: boolean,
  outgoing: ServerResponse,
): Promise<void> {
  if (!(body instanceof Readable)) {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    outgoing.writeHead(status, { ...headers, ...length }).end(body)
    return
  }
  outgoing.writeHead(status, headers)
  if (isHead) {
    body.destroy()
    outgoing.end()
    return
  }
  try {
    await pipeline(body, outgoing)
  } catch (error) {
    // The client went away, or whoever made the stream ended it early: both ends are destroyed by now.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
