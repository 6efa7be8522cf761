import { isIP } from 'node:net'
import { forbidden } from '@/server/kernel/errors'
import type { HeaderReader } from '@/server/kernel/http/call'

/**
 * Requires that a page of this site sent the request. Call it for every request that is authenticated by cookie and changes
 * something.
 * @throws {DomainError} forbidden
 */
export function requireOwnPage(headers: HeaderReader, baseUrl: string): void {
  if (!isOurHost(headers.get('host'), baseUrl)) {
    throw forbidden(`this site is known as ${baseUrl}; open it there, or set GUILDHALL_BASE_URL`)
  }
  if (!isSameOrigin(headers, baseUrl)) throw forbidden('this request did not come from a page of this site')
}

/**
 * Returns whether a page of this site sent the request, which protects cookie sessions against cross-site request forgery.
 * Modern browsers state it in Sec-Fetch-Site and older ones in Origin; a request without either header is refused.
 */
export function isSameOrigin(headers: HeaderReader, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const origin = headers.get('origin')
  if (!origin || !URL.canParse(origin)) return false
  return origin === baseUrl || new URL(origin).host === headers.get('host')
}

/**
 * Returns whether a Host header names this site. An attacker can make another name resolve to this server, and pages under
 * that name would count as same-origin. IP addresses and localhost are accepted because an attacker cannot redirect them.
 */
export function isOurHost(host: string | null, baseUrl: string): boolean {
  if (!host || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  if (hostname === new URL(baseUrl).hostname || hostname === 'localhost') return true
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
