import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorAnswer } from '@/server/api/rest/presenter'

const maxHeadKib = 16

/** Room for the first line of a request and its headers together. */
export const maxHeadBytes = maxHeadKib * 1024

const refusals: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, `the address and headers of a request may have ${maxHeadKib} KiB together`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the extensions of a chunk are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the headers of the request did not come in time'],
}
const notHttp: [status: number, message: string] = [400, 'the request is not well-formed HTTP']

/**
 * Ends the connection of what cannot be read as a request, with an answer as in the API unless another one is under way,
 * which would seem to go on with it.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex, baseUrl: string): void {
  const isAnswering = [...(open.get(socket) ?? [])].some(response => response.headersSent)
  if (socket.writable && !isAnswering) socket.write(refusalOf(error, baseUrl))
  socket.destroy()
}

// Several where a client does not wait for one answer before it asks for the next.
const open = new WeakMap<Duplex, Set<ServerResponse>>()

/** Notes that a connection has an answer to come, until it is complete. */
export function noteAnswer(socket: Duplex, response: ServerResponse): void {
  const responses = open.get(socket) ?? new Set()
  open.set(socket, responses.add(response))
  response.once('close', () => responses.delete(response))
}

function refusalOf({ code }: NodeJS.ErrnoException, baseUrl: string): string {
  const [status, message] = refusals[code ?? ''] ?? notHttp
  const { headers, body } = errorAnswer(status, message, baseUrl)
  const length = Buffer.byteLength(body as string)
  const lines = Object.entries({ ...headers, 'Content-Length': length, Connection: 'close' })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(line => line.join(': '))]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
