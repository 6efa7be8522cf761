import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A webhook request that a receiver got. */
export interface Receipt {
  /** The ID of the delivery. */
  uuid: string
  port: number
  /** The arrival time of the request headers in milliseconds since 1970. */
  at: number
}

/**
 * The message to the receiver process: the number of requests to wait for. The process then replies with all
 * receipts.
 */
export type Question = number

// Receivers run in a process of their own, so that receiving does not slow down the measured server. Requests
// whose path ends in `hang` never get a response.
const ports: number[] = []
let receipts: Receipt[] = []
let wanted: Question | undefined

for (let count = Number(process.argv[2]); count > 0; count--) {
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now()
    request.resume()
    if (request.url?.endsWith('hang')) return
    receipts.push({ uuid: String(request.headers['webhook-id']), port: request.socket.localPort!, at })
    request.once('end', () => {
      response.writeHead(204).end()
      reportIfEnough()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ports.push((server.address() as AddressInfo).port)
}
process.on('message', (question: Question) => {
  wanted = question
  reportIfEnough()
})
process.send?.(ports)

function reportIfEnough(): void {
  if (wanted === undefined || receipts.length < wanted) return
  process.send?.(receipts)
  receipts = []
  wanted = undefined
}
