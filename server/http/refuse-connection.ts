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

// Gives the client time to read the reason.
const closingMs = 2000
// Connections above this number are closed without a response.
const maxAnswered = 1000
const logMs = 60_000
const maxReported = 1000

/**
 * Returns a function that refuses connections above an address's share. It logs each network at most once a
 * minute.
 */
export function createRefusal(log: Logger): (socket: Socket, address: string) => void {
  const answered = new Set<Socket>()
  const reported = new Map<string, number>()

  function report(address: string): void {
    const network = addressNetwork(address)
    const now = performance.now()
    if (now - (reported.get(network) ?? -Infinity) < logMs) return
    if (reported.size >= maxReported) reported.clear()
    reported.set(network, now)
    log.warn({ network }, 'an address has reached its share of the connections; further ones get status 503')
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
    // Unread data would reset the connection, and the response would be lost.
    socket.resume()
    socket.end(answer)
  }
}
