import { isIP } from 'node:net'
import { forbidden } from '@/server/kernel/errors'
import type { HeaderReader } from '@/server/kernel/http/call'

/**
 * Requires of a request that changes something by cookie that a page of this site sent it.
 * @throws {DomainError} forbidden
 */
export function requireOwnPage(headers: HeaderReader, baseUrl: string): void {
  if (!isOurHost(headers.get('host'), baseUrl)) {
    throw forbidden(`this site is known as ${baseUrl}; open it there, or set GUILDHALL_BASE_URL`)
  }
  if (!isSameOrigin(headers, baseUrl)) throw forbidden('this request did not come from a page of this site')
}

/**
 * Tells whether a page of this site sent the request. The guard against cross-site request forgery for cookie sessions:
 * modern browsers state it in Sec-Fetch-Site, older ones in Origin; without either it is refused.
 */
export function isSameOrigin(headers: HeaderReader, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const origin = headers.get('origin')
  if (!origin || !URL.canParse(origin)) return false
  return origin === baseUrl || new URL(origin).host === headers.get('host')
}

/**
 * Tells whether this is the name we go by. Any other name could be an attacker's that resolves here, so that a page of theirs
 * counts as same-origin. Bare addresses and localhost cannot be pointed elsewhere and are welcome.
 */
export function isOurHost(host: string | null, baseUrl: string): boolean {
  if (!host || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  if (hostname === new URL(baseUrl).hostname || hostname === 'localhost') return true
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
