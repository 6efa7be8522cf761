// @ts-check
// Plain JavaScript, because next.config.mjs is read by Node as it is.

/**
 * Headers that every response has.
 * @type {Readonly<Record<string, string>>}
 */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Additional header value for responses that depend on the caller. */
export const privateCaching = 'max-age=0, private, must-revalidate, no-transform'

/**
 * Additional header for a site reached over HTTPS: browsers then use only HTTPS for a year.
 * @param {string} baseUrl
 * @returns {Record<string, string>}
 */
export function strictTransportSecurity(baseUrl) {
  return baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}
