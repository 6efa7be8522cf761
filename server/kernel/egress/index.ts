import { isIP } from 'node:net'
import { rangeOf } from './address-range'
import { type AllowedHosts, type Denial, denialOf } from './allowed-hosts'
import { createLookup, type Lookup, unresolved } from './resolve-name'

export { type AllowedHosts, parseAllowedHosts } from './allowed-hosts'

/**
 * Error thrown instead of connecting to an IP address that `GUILDHALL_WEBHOOK_ALLOWED_HOSTS` does not allow.
 * Its message does not reveal the addresses that a host name resolves to.
 */
export class EgressDenied extends Error {
  override name = 'EgressDenied'
  readonly host: string
  readonly address: string
  /** Name of the address range, such as `link-local`. */
  readonly rule: string
  /** Message for site administrators, with the address and the setting's value. */
  readonly details: string

  constructor({ host, address, rule, message, details }: Denial) {
    super(message)
    this.host = host
    this.address = address
    this.rule = rule
    this.details = details
  }
}

/**
 * Returns all addresses of a host in their canonical spelling.
 * @throws {EgressDenied} if one of them is not allowed.
 */
export async function allowedAddresses(
  allowed: AllowedHosts,
  host: string,
  lookup: Lookup,
): Promise<string[]> {
  const answers = isIP(host) ? [host] : await lookup(host)
  if (answers.length === 0) throw unresolved(`the name ${host} does not resolve`, 'ENOTFOUND')
  for (const address of answers) {
    const denial = denialOf(allowed, host, address)
    if (denial) throw new EgressDenied(denial)
  }
  return [...new Set(answers.map(answer => rangeOf(answer).address))]
}

/** Reason why a request to a URL would currently fail: its host is not allowed or does not resolve. */
export interface UrlWarning {
  kind: 'denied' | 'unresolved'
  host: string
  /** The denied address. */
  address?: string
  rule?: string
  /** Message for everyone: it does not reveal the address of a name. */
  message: string
  /** Message for site administrators; only set for a denial. */
  details?: string
}

const maxCheckMs = 3_000

/**
 * Checks within 3 seconds whether the host of a URL resolves and is allowed for outgoing requests, without
 * connecting to it.
 * @returns a warning, or undefined if requests to the URL are currently possible
 * @throws {TypeError} if the text is not a URL
 */
export async function checkUrl(
  allowed: AllowedHosts,
  url: string,
  lookup: Lookup = createLookup(),
): Promise<UrlWarning | undefined> {
  const { hostname } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, maxCheckMs, new Error(`the name ${host} did not resolve within 3 seconds`))
  })
  try {
    await Promise.race([allowedAddresses(allowed, host, lookup), late])
    return undefined
  } catch (error) {
    if (!(error instanceof EgressDenied))
      return { kind: 'unresolved', host, message: (error as Error).message }
    const { address, rule, message, details } = error
    return { kind: 'denied', host: error.host, address, rule, message, details }
  } finally {
    clearTimeout(timer)
  }
}
