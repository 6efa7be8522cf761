import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorAnswer } from '@/server/api/rest/presenter'

const maxHeadKib = 16

/** Maximum size in bytes of a request's first line and headers together. */
export const maxHeadBytes = maxHeadKib * 1024

const refusals: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, `the URL and headers of a request must be at most ${maxHeadKib} KiB in total`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request headers did not arrive in time'],
}
const notHttp: [status: number, message: string] = [400, 'the request is not well-formed HTTP']

/**
 * Closes the connection of a malformed request. Sends an error response as the API does, unless another
 * response is in progress, of which it would seem to be a part.
 */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex, baseUrl: string): void {
  const isAnswering = [...(open.get(socket) ?? [])].some(response => response.headersSent)
  if (socket.writable && !isAnswering) socket.write(refusalOf(error, baseUrl))
  socket.destroy()
}

// There are several if a client pipelines requests.
const open = new WeakMap<Duplex, Set<ServerResponse>>()

/** Registers a response as pending on its connection until it is complete. */
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
