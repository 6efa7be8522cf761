import { connect } from 'node:net'
import type { Site } from './site'

export interface RawAnswer {
  /** The status of the response; undefined if the server closed the connection without one. */
  status: number | undefined
  text: string
}

/**
 * Sends bytes to the server unchanged, including requests that HTTP clients would refuse to send. If `more`
 * is true, the connection stays open, so that the server waits for further bytes.
 */
export function sendRaw(
  site: Pick<Site, 'url'>,
  request: string | Buffer,
  { more = false } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(site.url)
  return new Promise(resolve => {
    let received = ''
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      more ? socket.write(request) : socket.end(request),
    )
    const finish = () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]
      resolve({ status: status ? Number(status) : undefined, text: received })
    }
    socket.setEncoding('latin1')
    socket.on('data', text => {
      received += text
    })
    // A server that rejects a request early closes the connection while the client is still writing.
    socket.on('error', finish)
    socket.on('close', finish)
  })
}

/** Returns the request line and headers of a request whose target is sent unchanged. */
export const rawHead = (method: string, target: string, headers: Record<string, string> = {}): string =>
  [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries({ Host: '127.0.0.1', Connection: 'close', ...headers }).map(pair => pair.join(': ')),
    '\r\n',
  ].join('\r\n')
