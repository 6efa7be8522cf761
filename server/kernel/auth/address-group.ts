import { isIPv6 } from 'node:net'

/** What one household or machine can hold: an IPv4 address, or the first half of an IPv6 one. */
export const addressGroup = (address: string): string => prefixOf(address, 4)

/** What one customer of a network can hold: an IPv4 address, or the first 48 bits of an IPv6 one. */
export const addressNetwork = (address: string): string => prefixOf(address, 3)

function prefixOf(address: string, parts: number): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('%', 1)[0]?.split('::') ?? []
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, parts)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/${16 * parts}`
}
