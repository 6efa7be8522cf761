import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from 'proxy-addr'
import { type AddressMatcher, canonicalAddress } from '@/server/kernel/ip-address'

/**
 * Returns the client's IP address: the connection's or, behind trusted proxies, the nearest address that is
 * not a trusted proxy's. An invalid address in X-Forwarded-For and everything beyond it is ignored.
 */
export function clientAddress(request: IncomingMessage, isTrusted: AddressMatcher): string {
  // HTTP allows tabs around the addresses, but the library only trims spaces.
  const hops = proxyAddress
    .all(request, hop => isTrusted(hop?.trim()))
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
