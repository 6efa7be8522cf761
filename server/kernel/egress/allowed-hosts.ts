import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { parseNetworks } from '../ip-address'
import { type AddressRange, rangeOf } from './address-range'

type Rule = (host: string, range: AddressRange) => boolean

/** Where requests may go, as the setting says it. */
export interface AllowedHosts {
  /** The setting, word for word. */
  readonly text: string
  readonly rules: readonly Rule[]
}

/** An address that may not be called, and the range it is of. */
export interface Denial {
  host: string
  address: string
  /** Such as `link-local`. */
  rule: string
  /** For everybody: it tells neither where a name leads nor what the site allows. */
  message: string
  /** For who runs the site. */
  details: string
}

export const allowedHostsVariable = 'GUILDHALL_WEBHOOK_ALLOWED_HOSTS'

const expected =
  'expected words of external, loopback, private and *, networks such as 10.0.0.0/8, addresses such as 10.0.0.* ' +
  'and names such as *.example.com, with commas between them'

/**
 * Parses words, networks in CIDR notation, and addresses and names with `*` and `?`, separated by commas. A name is
 * allowed wherever it leads but to special addresses, such as link-local ones; `*`, networks and addresses allow those too.
 * @throws {TypeError} saying what is right, for anything else.
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
  // A name such as 10.example.com does not come by addresses such as 10.*, nor an address by names such as *.*.
  if (addressGlob.test(name)) return (_, { address }) => pattern.test(address)
  if (nameGlob.test(name))
    return (host, { group }) => group !== 'special' && !isIP(host) && pattern.test(host)
  throw new TypeError(`${expected}, not "${word}"`)
}

const isGroup = (word: string): boolean => ['external', 'private', 'loopback'].includes(word)

const addressGlob = /^(?=.*[*?])([\d.*?]*\d[\d.*?]*|[\da-f:.*?]*:[\da-f:.*?]*)$/
// What ends in a number is an address or nothing.
const nameGlob = /^(?!.*\.\d*$|\d+$)[\w*?-]+(\.[\w*?-]+)*$/

function globPattern(glob: string): RegExp {
  const source = glob.replace(/[.-]/g, '\\$&').replaceAll('?', '.').replace(/\*+/g, '.*')
  return new RegExp(`^${source}$`)
}

/** Says why a host, a name or an address, may not be called at an address; undefined where it may. */
export function denialOf(allowed: AllowedHosts, host: string, address: string): Denial | undefined {
  const range = rangeOf(address)
  const name = host.toLowerCase().replace(/\.$/, '')
  if (allowed.rules.some(rule => rule(name, range))) return undefined
  const isSame = rangeOf(host).address === range.address
  const shown = isSame ? range.address : `${name} leads to an address that`
  const whole = isSame ? range.address : `${name} leads to ${range.address}, which`
  const wider = `${allowed.text}, ${isSame || range.group === 'special' ? range.address : name}`
  return {
    host: name,
    address: range.address,
    rule: range.name,
    message: `${shown} is ${range.name}, which ${allowedHostsVariable} does not allow`,
    details: `${whole} is ${range.name}; ${allowedHostsVariable} is "${allowed.text}", and "${wider}" would allow it`,
  }
}
