import { randomBytes } from 'node:crypto'

/** Request header with the path and query of the page, because layouts do not receive it. */
export const pathHeader = 'x-guildhall-path'

/** Request header with the nonce that the page's own scripts need. */
export const nonceHeader = 'x-nonce'

/** Next reads the nonce for the scripts it writes from this request header. */
export const policyHeader = 'content-security-policy'

/**
 * Returns the request headers with which a page is rendered: its path and query, and a content security
 * policy of its own, which the response must have as well.
 */
export function pageHeaders(path: string): Record<string, string> & { [policyHeader]: string } {
  // 128 random bits. Pages repeat it, so it is not longer.
  const nonce = randomBytes(16).toString('base64')
  return { [pathHeader]: path, [nonceHeader]: nonce, [policyHeader]: contentSecurityPolicy(nonce) }
}

function contentSecurityPolicy(nonce: string): string {
  // React rebuilds server stacks with eval while developing.
  const development = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : ''
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}
