import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from 'proxy-addr'
import { type AddressMatcher, canonicalAddress } from '@/server/kernel/ip-address'
import { remember } from '@/server/kernel/remember'

/** The client of a request, as far as its connection and the proxies on the way tell. */
export interface Client {
  /**
   * IP address: the connection's or, behind trusted proxies, the nearest address that is not a trusted
   * proxy's. An invalid address in X-Forwarded-For and everything beyond it is ignored.
   */
  remoteAddress: string
  /** Whether the connection is a trusted proxy's. */
  behindTrustedProxy: boolean
}

/**
 * Returns a function that tells the client of a request. It judges each connection once, and each different
 * X-Forwarded-For header of a trusted proxy once while the results fit into a small cache.
 */
export function createClients(isTrusted: AddressMatcher): (request: IncomingMessage) => Client {
  const connections = new WeakMap<Socket, Client>()
  const clientOf = remember(text => {
    const [address, forwarded] = text.split('\n', 2) as [string, string]
    return { remoteAddress: nearestUntrusted(address, forwarded, isTrusted), behindTrustedProxy: true }
  })
  return ({ socket, headers }) => {
    let own = connections.get(socket)
    if (!own) {
      const { remoteAddress } = socket
      own = { remoteAddress: canonicalAddress(remoteAddress), behindTrustedProxy: isTrusted(remoteAddress) }
      connections.set(socket, own)
    }
    const forwarded = headers['x-forwarded-for']
    if (!own.behindTrustedProxy || !forwarded) return own
    // A header has no line feeds.
    return clientOf(`${own.remoteAddress}\n${forwarded}`)
  }
}

function nearestUntrusted(remoteAddress: string, forwarded: string, isTrusted: AddressMatcher): string {
  const request = { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }
  // HTTP allows tabs around the addresses, but the library only trims spaces.
  const hops = proxyAddress
    .all(request as unknown as IncomingMessage, hop => isTrusted(hop?.trim()))
    .map(hop => canonicalAddress(hop?.trim()))
  return hops.findLast(hop => hop !== '') ?? ''
}

/**
 * Returns the IP address of a connection; undefined for a trusted proxy, because many clients share its
 * connections.
 */
export function connectionAddress({ remoteAddress }: Socket, isTrusted: AddressMatcher): string | undefined {
  return isTrusted(remoteAddress) ? undefined : canonicalAddress(remoteAddress)
}
