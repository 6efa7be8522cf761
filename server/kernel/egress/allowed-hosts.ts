import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { parseNetworks } from '../ip-address'
import { type AddressRange, rangeOf } from './address-range'

type Rule = (host: string, range: AddressRange) => boolean

/** Configuration of the hosts to which the server can send outgoing requests, such as webhook deliveries. */
export interface AllowedHosts {
  /** The setting, verbatim. */
  readonly text: string
  readonly rules: readonly Rule[]
}

/**
 * Reason why an outgoing request is denied: the host, its IP address, and the address range that is not
 * allowed.
 */
export interface Denial {
  host: string
  address: string
  /** Name of the address range, such as `link-local`. */
  rule: string
  /** Message for everyone: it reveals neither the address of a name nor the setting's value. */
  message: string
  /** Message for site administrators, with the address and the setting's value. */
  details: string
}

export const allowedHostsVariable = 'GUILDHALL_WEBHOOK_ALLOWED_HOSTS'

const expected =
  'expected a comma-separated list of external, loopback, private, *, networks such as 10.0.0.0/8, ' +
  'addresses such as 10.0.0.* and names such as *.example.com'

/**
 * Parses the list of hosts that are allowed for outgoing requests. The comma-separated entries are keywords,
 * networks in CIDR notation, and IP addresses and host names with the wildcards `*` and `?`. An allowed host
 * name can resolve to any address except special ones, such as link-local addresses; the entry `*`, networks,
 * and addresses allow those, too.
 * @throws {TypeError} with the expected format, if an entry is invalid
 */
export function parseAllowedHosts(text: string): AllowedHosts {
  const words = text
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(Boolean)
  if (words.length === 0) throw new TypeError(expected)
  return { text, rules: words.map(parseRule) }
}

function parseRule(word: string): Rule {
  if (word === '*') return () => true
  if (isGroup(word)) return (_, { group }) => group === word
  const networks = parseNetworks(word)
  if ('match' in networks) return (_, { address }) => networks.match(address)
  const name = /^[\x21-\x7e]+$/.test(word) ? word : domainToASCII(word)
  const pattern = globPattern(name)
  // A name such as 10.example.com must not match address patterns such as 10.*, nor an address match name
  // patterns such as *.*.
  if (addressGlob.test(name)) return (_, { address }) => pattern.test(address)
  if (nameGlob.test(name))
    return (host, { group }) => group !== 'special' && !isIP(host) && pattern.test(host)
  throw new TypeError(`${expected}, not "${word}"`)
}

const isGroup = (word: string): boolean => ['external', 'private', 'loopback'].includes(word)

const addressGlob = /^(?=.*[*?])([\d.*?]*\d[\d.*?]*|[\da-f:.*?]*:[\da-f:.*?]*)$/
// A host that ends in a number is an address or invalid.
const nameGlob = /^(?!.*\.\d*$|\d+$)[\w*?-]+(\.[\w*?-]+)*$/

function globPattern(glob: string): RegExp {
  const source = glob.replace(/[.-]/g, '\\$&').replaceAll('?', '.').replace(/\*+/g, '.*')
  return new RegExp(`^${source}$`)
}

/**
 * Returns why outgoing requests to a host, which is a name or an IP address, are denied if the host resolves
 * to `address`; undefined if they are allowed.
 */
export function denialOf(allowed: AllowedHosts, host: string, address: string): Denial | undefined {
  const range = rangeOf(address)
  const name = host.toLowerCase().replace(/\.$/, '')
  if (allowed.rules.some(rule => rule(name, range))) return undefined
  const isSame = rangeOf(host).address === range.address
  const shown = isSame ? range.address : `${name} resolves to an address that`
  const whole = isSame ? range.address : `${name} resolves to ${range.address}, which`
  const wider = `${allowed.text}, ${isSame || range.group === 'special' ? range.address : name}`
  return {
    host: name,
    address: range.address,
    rule: range.name,
    message: `${shown} is ${range.name}, which ${allowedHostsVariable} does not allow`,
    details: `${whole} is ${range.name}; ${allowedHostsVariable} is "${allowed.text}", and "${wider}" would allow it`,
  }
}
