import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came in. */
export interface Receipt {
  /** Of the delivery. */
  uuid: string
  port: number
  /** Milliseconds since 1970, when its headers were there. */
  at: number
}

/** How many requests must have come before it tells of them all. */
export type Question = number

// A process of its own, so that receiving is not measured with the sending. Paths that end in `hang` get no answer.
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
