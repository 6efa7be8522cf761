import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
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

interface Egress {
  dispatcher: Dispatcher
  /** Closes the connections once all pending requests have completed. */
  close(): Promise<void>
}

const maxAttempts = 3
const maxConnectMs = 4_000
const maxIdleMs = 10_000

/**
 * Creates an undici dispatcher that connects only to allowed IP addresses. A host name is resolved once per
 * connection and is denied if any of its addresses is. Otherwise, the connection goes to exactly the
 * addresses that were checked, which prevents DNS rebinding. Redirects are not followed, and no proxy is
 * used.
 */
export function createEgress(
  allowed: AllowedHosts,
  doubles: { lookup?: Lookup; connect?: buildConnector.connector } = {},
): Egress {
  const { lookup = createLookup(), connect = buildConnector({ timeout: maxConnectMs }) } = doubles

  async function open(target: buildConnector.Options): Promise<Socket> {
    const host = target.hostname
    const servername = isIP(host) ? '' : host.replace(/\.$/, '')
    let failure: unknown
    for (const address of interleaved(await allowedAddresses(allowed, host, lookup))) {
      try {
        const socket = await connected(connect, { ...target, hostname: address, servername })
        return settledOn(socket, address, allowed, host)
      } catch (error) {
        failure ??= withoutAddress(error, address, host)
      }
    }
    throw failure
  }

  const dispatcher = new Agent({
    connect: (target, callback) =>
      void open(target).then(
        socket => callback(null, socket),
        error => callback(error, null),
      ),
    headersTimeout: maxIdleMs,
    bodyTimeout: maxIdleMs,
    maxHeaderSize: 16 * 1024,
    // A reused connection keeps its address, so it is closed soon and the name is resolved again.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    clientTtl: 60_000,
  })
  return { dispatcher, close: () => dispatcher.close() }
}

// Owners of webhooks see the error, but must not learn the addresses of names in the site's own network.
function withoutAddress(error: unknown, address: string, host: string): unknown {
  if (error instanceof Error) error.message = error.message.replaceAll(address, host)
  return error
}

/** Returns all addresses of a host in their canonical spelling. */
async function allowedAddresses(allowed: AllowedHosts, host: string, lookup: Lookup): Promise<string[]> {
  const answers = isIP(host) ? [host] : await lookup(host)
  if (answers.length === 0) throw unresolved(`the name ${host} does not resolve`, 'ENOTFOUND')
  for (const address of answers) {
    const denial = denialOf(allowed, host, address)
    if (denial) throw new EgressDenied(denial)
  }
  return [...new Set(answers.map(answer => rangeOf(answer).address))]
}

/**
 * Returns the addresses to try: the first of each family and then others, so that the second attempt uses the
 * other family if the first one is unreachable.
 */
function interleaved(addresses: string[]): string[] {
  const other = addresses.find(address => isIP(address) !== isIP(addresses[0]!))
  const first = [addresses[0]!, ...(other ? [other] : [])]
  return [...new Set([...first, ...addresses])].slice(0, maxAttempts)
}

function connected(connect: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(target, (error, socket) => (error ? reject(error) : resolve(socket as Socket)))
  })
}

// The connector gets only the checked address; this guards against faults in the connector.
function settledOn(socket: Socket, address: string, allowed: AllowedHosts, host: string): Socket {
  const reached = socket.remoteAddress && rangeOf(socket.remoteAddress).address
  if (reached === address) return socket
  socket.destroy()
  const denial = reached && denialOf(allowed, host, reached)
  throw denial
    ? new EgressDenied(denial)
    : new Error(
        reached
          ? `connected to an address other than ${address}`
          : `connected to no address instead of ${address}`,
      )
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
