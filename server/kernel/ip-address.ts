import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns whether a text is an IP address in a configured list of addresses and networks. */
export type AddressMatcher = (address: string | undefined) => boolean

type Network = ReturnType<typeof ipaddr.parseCIDR>

/**
 * Parses a comma-separated list of IP addresses and networks in CIDR notation, and returns a function that
 * checks whether an address is in the list. For an invalid list, returns the invalid entry instead.
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
  // Digits must follow the slash, or "10.0.0.0/" would match every address.
  const [, address = '', bits] = /^([^/]+)(?:\/(\d+))?$/.exec(entry) ?? []
  if (!isAddress(address)) return undefined
  if (bits !== undefined) return ipaddr.isValidCIDR(entry) ? unmapped(ipaddr.parseCIDR(entry)) : undefined
  const single = ipaddr.process(address)
  return [single, single.kind() === 'ipv6' ? 128 : 32]
}

// IPv4-mapped IPv6 addresses are compared as IPv4, so a network of such addresses must be converted too.
function unmapped([network, bits]: Network): Network | undefined {
  if (!(network instanceof ipaddr.IPv6) || !network.isIPv4MappedAddress()) return [network, bits]
  return bits >= 96 ? [network.toIPv4Address(), bits - 96] : undefined
}

// Both checks are needed: the library accepts shorthands such as 127.1, and Node accepts zones that the
// library cannot parse.
const isAddress = (text: string): boolean => isIP(text) !== 0 && ipaddr.isValid(text)

/**
 * Returns the canonical form of an IP address, as IPv4 for an IPv4-mapped IPv6 address; empty if the text is
 * not an IP address.
 */
export const canonicalAddress = (text: string | undefined): string =>
  text !== undefined && isAddress(text) ? ipaddr.process(text).toString() : ''

/**
 * Returns the addresses that typically belong to one household or machine: the IPv4 address itself, or the
 * /64 prefix of an IPv6 address.
 */
export const addressGroup = (address: string): string => prefixOf(address, 4)

/**
 * Returns the network that a provider typically assigns to one customer: the IPv4 address itself, or the /48
 * prefix of an IPv6 address.
 */
export const addressNetwork = (address: string): string => prefixOf(address, 3)

function prefixOf(address: string, parts: number): string {
  if (!isIPv6(address) || !ipaddr.isValid(address)) return address
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, parts)
  return `${groups.map(group => group.toString(16)).join(':')}::/${16 * parts}`
}
