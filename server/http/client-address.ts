import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from 'proxy-addr'
import { type AddressMatcher, canonicalAddress } from '@/server/kernel/ip-address'

/**
 * Returns the client's address: the connection's, or behind trusted proxies the nearest that none of them has. What is
 * no address in X-Forwarded-For, and all beyond it, is not believed.
 */
export function clientAddress(request: IncomingMessage, isTrusted: AddressMatcher): string {
  // The library leaves tabs at the addresses, which HTTP allows as it does spaces.
  const hops = proxyAddress
    .all(request, hop => isTrusted(hop?.trim()))
    .map(hop => canonicalAddress(hop?.trim()))
  return hops.findLast(hop => hop !== '') ?? ''
}

/** Returns whose connection it is; undefined for a trusted proxy, behind which anybody may be. */
export function connectionAddress({ remoteAddress }: Socket, isTrusted: AddressMatcher): string | undefined {
  return isTrusted(remoteAddress) ? undefined : canonicalAddress(remoteAddress)
}
