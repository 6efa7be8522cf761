import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a test server received. */
export interface Received {
  method: string | undefined
  path: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** A test server on the loopback interface that records the requests it receives. */
export interface Receiver {
  url: string
  /** The host and port of the server. */
  target: string
  calls: Received[]
  /** Sets how the server responds from now on. The default is status 200 without a body. */
  answer(respond: (response: ServerResponse, call: Received) => void): void
  /** Waits for at most ten seconds until this many requests have arrived in total, and returns them. */
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
      // The client disconnected before it had sent the whole request.
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

/** Returns a function that responds with this status, headers and body. */
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end(body)
