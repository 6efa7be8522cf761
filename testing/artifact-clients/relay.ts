import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that calls a function of a test before it forwards a request to a site. */
export interface Relay extends AsyncDisposable {
  url: string
}

/**
 * Starts a proxy that awaits `before` and then forwards the request to the site. If `before` throws, the
 * request is not forwarded.
 */
export async function startRelay(
  site: { url: string },
  before: (incoming: IncomingMessage) => Promise<void> | void,
): Promise<Relay> {
  const server = createServer(async (incoming, outgoing) => {
    await before(incoming)
    const { method, url, headers } = incoming
    const passed = request(`${site.url}${url}`, { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
