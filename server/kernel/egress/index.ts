import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { rangeOf } from './address-range'
import { type AllowedHosts, type Denial, denialOf } from './allowed-hosts'
import { createLookup, type Lookup, unresolved } from './resolve-name'

export { type AllowedHosts, parseAllowedHosts } from './allowed-hosts'

/** Thrown instead of connecting to an address that the setting does not allow; the message does not tell the address of a name. */
export class EgressDenied extends Error {
  override name = 'EgressDenied'
  readonly host: string
  readonly address: string
  /** The range of the address, such as `link-local`. */
  readonly rule: string
  /** For who runs the site. */
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
  /** Ends once what was asked for has been answered. */
  close(): Promise<void>
}

const maxAttempts = 3
const maxConnectMs = 4_000
const maxIdleMs = 10_000

/**
 * Makes a dispatcher for undici that connects to allowed addresses alone. A name is resolved once for a connection; one
 * address that is not allowed refuses them all, and the connection is made to the very addresses that were judged,
 * whatever the name leads to by then. It follows no redirect and knows no proxy.
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
    // A connection that is kept stays with its address; soon the name is asked for again.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    clientTtl: 60_000,
  })
  return { dispatcher, close: () => dispatcher.close() }
}

// Owners of hooks are shown what failed, and not where names of the site's own network lead.
function withoutAddress(error: unknown, address: string, host: string): unknown {
  if (error instanceof Error) error.message = error.message.replaceAll(address, host)
  return error
}

/** All addresses of a host, each in its one spelling. */
async function allowedAddresses(allowed: AllowedHosts, host: string, lookup: Lookup): Promise<string[]> {
  const answers = isIP(host) ? [host] : await lookup(host)
  if (answers.length === 0) throw unresolved(`the name ${host} does not resolve`, 'ENOTFOUND')
  for (const address of answers) {
    const denial = denialOf(allowed, host, address)
    if (denial) throw new EgressDenied(denial)
  }
  return [...new Set(answers.map(answer => rangeOf(answer).address))]
}

/** The first of each family, then others: where one family leads nowhere, the second attempt is of the other. */
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

// Nothing but the address that was judged is left to choose, so this stands against faults of what connects.
function settledOn(socket: Socket, address: string, allowed: AllowedHosts, host: string): Socket {
  const reached = socket.remoteAddress && rangeOf(socket.remoteAddress).address
  if (reached === address) return socket
  socket.destroy()
  const denial = reached && denialOf(allowed, host, reached)
  throw denial
    ? new EgressDenied(denial)
    : new Error(
        reached ? `connected elsewhere than to ${address}` : `connected to nobody instead of ${address}`,
      )
}

/** Why nothing that is sent to a URL would arrive as things are. */
export interface UrlWarning {
  kind: 'denied' | 'unresolved'
  host: string
  /** The address that is not allowed, and its range. */
  address?: string
  rule?: string
  /** For everybody: it does not tell the address of a name. */
  message: string
  /** For who runs the site; of a denial. */
  details?: string
}

const maxCheckMs = 3_000

/**
 * Tells within 3 seconds whether a URL could be called now; connects to nothing, and vouches for no later call.
 * @throws {TypeError} for what is no URL.
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
