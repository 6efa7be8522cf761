import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Tells whether an address, which may be no address at all, is one of some kind. */
export type AddressMatcher = (address: string | undefined) => boolean

type Network = ReturnType<typeof ipaddr.parseCIDR>

/**
 * Parses IP addresses and networks in CIDR notation, separated by commas, and matches against all of them.
 * Returns the entry that is neither instead.
 */
export function parseNetworks(text: string): { match: AddressMatcher } | { wrong: string } {
  const networks: Network[] = []
  for (const entry of text.split(',').map(word => word.trim())) {
    if (!entry) continue
    const network = parseNetwork(entry)
    if (!network) return { wrong: entry }
    networks.push(network)
  }
  const match: AddressMatcher = address => {
    if (address === undefined || !isAddress(address)) return false
    const parsed = ipaddr.process(address)
    return networks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
  }
  return { match }
}

function parseNetwork(entry: string): Network | undefined {
  // Digits must follow the slash: "10.0.0.0/" must not come to mean everybody.
  const [, address = '', bits] = /^([^/]+)(?:\/(\d+))?$/.exec(entry) ?? []
  if (!isAddress(address)) return undefined
  if (bits !== undefined) return ipaddr.isValidCIDR(entry) ? unmapped(ipaddr.parseCIDR(entry)) : undefined
  const single = ipaddr.process(address)
  return [single, single.kind() === 'ipv6' ? 128 : 32]
}

// Addresses are compared as IPv4 where they are that in IPv6, so a network of such ones has to be as well.
function unmapped([network, bits]: Network): Network | undefined {
  if (!(network instanceof ipaddr.IPv6) || !network.isIPv4MappedAddress()) return [network, bits]
  return bits >= 96 ? [network.toIPv4Address(), bits - 96] : undefined
}

// Each alone lets something through: the library shorthands such as 127.1, Node zones that the library cannot read.
const isAddress = (text: string): boolean => isIP(text) !== 0 && ipaddr.isValid(text)

/** One spelling for each address, IPv4 where it is that in IPv6; empty for what is no address. */
export const canonicalAddress = (text: string | undefined): string =>
  text !== undefined && isAddress(text) ? ipaddr.process(text).toString() : ''

/** What one household or machine can hold: an IPv4 address, or the first half of an IPv6 one. */
export const addressGroup = (address: string): string => prefixOf(address, 4)

/** What one customer of a network can hold: an IPv4 address, or the first 48 bits of an IPv6 one. */
export const addressNetwork = (address: string): string => prefixOf(address, 3)

function prefixOf(address: string, parts: number): string {
  if (!isIPv6(address) || !ipaddr.isValid(address)) return address
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, parts)
  return `${groups.map(group => group.toString(16)).join(':')}::/${16 * parts}`
}
