/** Sent with every answer, whatever it is. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Besides those, for answers that depend on who asks. */
export const privateCaching = 'max-age=0, private, must-revalidate, no-transform'

/** Besides those at a site reached over https: browsers then ask over nothing else, for a year. */
export function strictTransportSecurity(baseUrl: string): Record<string, string> {
  return baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}
