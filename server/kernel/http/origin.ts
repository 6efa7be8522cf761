import type { Config } from '../config'
import type { Call, Connection } from './call'

/**
 * Returns the scheme and host of the URL that the client used to reach this server, without a trailing slash.
 * Workflow jobs can use a different host name for the site than people do.
 */
export function originOf(
  { headers }: Pick<Call, 'headers'>,
  { behindTrustedProxy }: Pick<Connection, 'behindTrustedProxy'>,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): string {
  const first = (name: string) => headers.get(name)?.split(',', 1)[0]?.trim() || undefined
  const forwarded = (name: string) => (behindTrustedProxy ? first(`x-forwarded-${name}`) : undefined)
  const host = (forwarded('host') ?? first('host'))?.toLowerCase()
  if (!host || !/^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/.test(host)) return baseUrl
  const scheme = forwarded('proto')?.toLowerCase()
  if (scheme === 'http' || scheme === 'https') return `${scheme}://${host}`
  // The proxy that terminates TLS in front of us is not necessarily a trusted proxy.
  return host === new URL(baseUrl).host ? baseUrl : `http://${host}`
}
