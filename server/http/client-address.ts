import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, type Socket } from 'node:net'

/** The client's address: the connection's, or behind proxies we trust the last hop they did not add themselves. */
export function clientAddress(request: IncomingMessage, trusted: BlockList): string {
  let address = plain(request.socket.remoteAddress ?? '')
  const forwarded = request.headers['x-forwarded-for']
  const hops = String(forwarded ?? '')
    .split(',')
    .map(hop => plain(hop.trim()))
  while (isTrusted(address, trusted)) {
    const hop = hops.pop()
    if (!hop || !isIP(hop)) break
    address = hop
  }
  return address
}

/** Whose connection it is; undefined for a proxy we trust, behind which anybody may be. */
export function connectionAddress({ remoteAddress = '' }: Socket, trusted: BlockList): string | undefined {
  const address = plain(remoteAddress)
  return isTrusted(address, trusted) ? undefined : address
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '')

const isTrusted = (address: string, trusted: BlockList): boolean =>
  isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
