import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that the receiver got. */
export interface Received {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** A server on loopback that keeps what it is sent. */
export interface Receiver {
  url: string
  /** Host and port. */
  target: string
  calls: Received[]
  /** How each call from now on is answered; 200 without a body until told otherwise. */
  answer(respond: (response: ServerResponse, call: Received) => void): void
  /** Waits until so many calls came, for ten seconds at most. */
  got(count: number): Promise<Received[]>
  close(): Promise<void>
}

const maxWaitMs = 10_000

export async function openReceiver(): Promise<Receiver> {
  let respond: (response: ServerResponse, call: Received) => void = response => void response.end()
  const calls: Received[] = []
  const arrivals = new EventEmitter()
  const server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk
    } catch {
      // The sender went away before it had sent everything.
      return
    }
    const { method, url: path, headers } = request
    const call = { method, path, headers, body }
    calls.push(call)
    arrivals.emit('call')
    respond(response, call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${target}`,
    target,
    calls,
    answer(next) {
      respond = next
    },
    async got(count) {
      const signal = AbortSignal.timeout(maxWaitMs)
      while (calls.length < count) await once(arrivals, 'call', { signal })
      return calls
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers with a status, headers and a body. */
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body)
