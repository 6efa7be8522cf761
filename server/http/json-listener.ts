import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, type Call, collect } from '@/server/kernel/http/call'

/** Puts one of Node's requests before a handler of calls; nothing of the web's classes is built on the way. */
export async function answerCall(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (call: Call) => Promise<Answer>,
): Promise<void> {
  const { status, headers, body } = await handle(callOfIncoming(incoming))
  if (body === undefined) {
    outgoing.writeHead(status, headers).end()
    return
  }
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

function callOfIncoming(incoming: IncomingMessage): Call {
  const target = incoming.url ?? '/'
  const mark = target.indexOf('?')
  const headers = {
    get(name: string): string | null {
      const value = incoming.headers[name]
      return value === undefined ? null : String(value)
    },
  }
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers,
    // Left open when it is refused: Node reads the rest away, so that the client gets to see the answer.
    body: limitBytes => collect(incoming.iterator({ destroyOnReturn: false }), headers, limitBytes),
  }
}
