import type { Socket } from 'node:net'
import { addressNetwork } from '@/server/kernel/ip-address'
import type { Logger } from '@/server/kernel/log'

const message = 'there are too many connections from your address; close some and try again'
const answer = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${message.length + 1}`,
  'Retry-After: 5',
  'Connection: close',
  '',
  `${message}\n`,
].join('\r\n')

// For the client to read why.
const closingMs = 2000
// Others are closed without a word.
const maxAnswered = 1000
const logMs = 60_000
const maxReported = 1000

/** Makes what answers connections that are too many for their address, and logs it, of each network once a minute. */
export function createRefusal(log: Logger): (socket: Socket, address: string) => void {
  const answered = new Set<Socket>()
  const reported = new Map<string, number>()

  function report(address: string): void {
    const network = addressNetwork(address)
    const now = performance.now()
    if (now - (reported.get(network) ?? -Infinity) < logMs) return
    if (reported.size >= maxReported) reported.clear()
    reported.set(network, now)
    log.warn({ network }, 'an address has its share of the connections; more of it are answered with 503')
  }

  return (socket, address) => {
    report(address)
    if (answered.size >= maxAnswered) return void socket.destroy()
    answered.add(socket)
    socket.on('error', () => undefined)
    const tooLate = setTimeout(() => socket.destroy(), closingMs)
    socket.once('close', () => {
      clearTimeout(tooLate)
      answered.delete(socket)
    })
    // What is not read would take the answer with it.
    socket.resume()
    socket.end(answer)
  }
}
