import ipaddr from 'ipaddr.js'
import { canonicalAddress, parseNetworks } from '../ip-address'

/**
 * Kind of network that an address belongs to: the internet, a private network, this machine, or a range with a
 * special purpose.
 */
type AddressGroup = 'external' | 'private' | 'loopback' | 'special'

export interface AddressRange {
  /** Canonical spelling of the address: IPv4 for an IPv4-mapped IPv6 address. */
  address: string
  group: AddressGroup
  /** Name of the range that reads well after "is", such as `link-local` or `NAT64 for 127.0.0.1`. */
  name: string
}

const groups: Readonly<Record<string, AddressGroup>> = {
  unicast: 'external',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  loopback: 'loopback',
}

const names: Readonly<Record<string, string>> = {
  unicast: 'external',
  uniqueLocal: 'unique local',
  carrierGradeNat: 'carrier-grade NAT',
  linkLocal: 'link-local',
  deprecatedSiteLocal: 'site-local',
  loopback: 'loopback',
  private: 'private',
  multicast: 'multicast',
  broadcast: 'broadcast',
  unspecified: 'unspecified',
}

// Metadata services outside of the other special ranges: Azure, Alibaba, Oracle; Amazon, Google, Scaleway.
const metadata = networks(
  '168.63.129.16, 100.100.100.200, 192.0.0.192, fd00:ec2::/32, fd20:ce::254, fd00:42::42',
)
// The library treats all unknown IPv6 addresses as unicast, but only these networks are allocated.
const allocated = networks('0.0.0.0/0, 2000::/3')

/**
 * Classifies an IP address by the range that contains it, such as private, loopback, or link-local. An IPv6
 * address with an embedded IPv4 address, as in NAT64 or 6to4, is `special`; an IPv4-mapped one is classified
 * as IPv4.
 */
export function rangeOf(text: string): AddressRange {
  // Node writes IPv4-compatible addresses in this form, which the library would read as IPv4-mapped.
  const address = canonicalAddress(text.replace(/^::(?=\d+\.)/, '0:0:0:0:0:0:'))
  if (!address) return { address: text, group: 'special', name: 'not an IP address' }
  const parsed = ipaddr.parse(address)
  const range = parsed.range()
  const wrapped = parsed instanceof ipaddr.IPv6 ? wrappedIn(parsed.parts) : undefined
  if (wrapped) return { address, group: 'special', name: wrapped }
  if (metadata(address)) return { address, group: 'special', name: 'a cloud metadata service' }
  if (range === 'unicast' && !allocated(address)) return { address, group: 'special', name: 'reserved' }
  return { address, group: groups[range] ?? 'special', name: names[range] ?? 'reserved' }
}

/**
 * Returns the name of the format in which eight IPv6 groups contain an IPv4 address, and that address;
 * undefined if they contain none.
 */
function wrappedIn([a, b, c, d, e, f, g, h]: number[]): string | undefined {
  const last = () => ipv4(g!, h!)
  const start = [a, b, c, d].map(Number).join()
  if (start === '0,0,0,0' && e === 0 && f === 0)
    return g || h! > 1 ? `IPv4-compatible for ${last()}` : undefined
  if (start === '0,0,0,0' && e === 0xffff && f === 0) return `IPv4-translated for ${last()}`
  if (a === 0x64 && b === 0xff9b) return `NAT64 for ${last()}`
  if (a === 0x2002) return `6to4 for ${ipv4(b!, c!)}`
  if (a === 0x2001 && b === 0) return `Teredo for ${ipv4(g! ^ 0xffff, h! ^ 0xffff)}`
  if ((e === 0 || e === 0x200) && f === 0x5efe) return `ISATAP for ${last()}`
  return undefined
}

const ipv4 = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

function networks(list: string): (address: string) => boolean {
  const parsed = parseNetworks(list)
  if ('match' in parsed) return parsed.match
  throw new Error(`not a network: ${parsed.wrong}`)
}
