// @ts-check
// Plain JavaScript, because next.config.mjs is read by Node as it is.

/**
 * Sent with every answer, whatever it is.
 * @type {Readonly<Record<string, string>>}
 */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Besides those, for answers that depend on who asks. */
export const privateCaching = 'max-age=0, private, must-revalidate, no-transform'

/**
 * Besides those at a site reached over https: browsers then ask over nothing else, for a year.
 * @param {string} baseUrl
 * @returns {Record<string, string>}
 */
export function strictTransportSecurity(baseUrl) {
  return baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}
