import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { allowedAddresses, EgressDenied } from '.'
import { rangeOf } from './address-range'
import { type AllowedHosts, denialOf } from './allowed-hosts'
import { createLookup, type Lookup } from './resolve-name'

/** Way for outgoing requests. */
export interface Egress {
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
