import { connect } from 'node:net'
import type { Site } from './site'

export interface RawAnswer {
  /** Undefined when the server hung up without an answer. */
  status: number | undefined
  text: string
}

/**
 * Sends bytes as they stand, past all that a well-behaved client would refuse to send. `more` leaves the server waiting
 * for others to come.
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
    // A server that refuses early closes while the client still writes.
    socket.on('error', finish)
    socket.on('close', finish)
  })
}

/** The head of a request to a path that is sent as it stands. */
export const rawHead = (method: string, target: string, headers: Record<string, string> = {}): string =>
  [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries({ Host: '127.0.0.1', Connection: 'close', ...headers }).map(pair => pair.join(': ')),
    '\r\n',
  ].join('\r\n')
