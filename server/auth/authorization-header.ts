export type PresentedCredential =
  | { kind: 'token'; secret: string }
  | { kind: 'basic'; name: string; password: string }

/**
 * Parses an Authorization header: `token <secret>`, `Bearer <secret>` or `Basic base64(name:password)`. Returns undefined
 * for an absent header or another scheme, and 'malformed' if the value of one of these schemes cannot be parsed.
 */
export function parseAuthorization(header: string | null): PresentedCredential | 'malformed' | undefined {
  if (!header) return undefined
  const [scheme = '', value, ...rest] = header.trim().split(/\s+/)
  switch (scheme.toLowerCase()) {
    case 'token':
    case 'bearer':
      return value && rest.length === 0 ? { kind: 'token', secret: value } : 'malformed'
    case 'basic':
      return value && rest.length === 0 ? parseBasic(value) : 'malformed'
    default:
      return undefined
  }
}

function parseBasic(value: string): PresentedCredential | 'malformed' {
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return 'malformed'
  return { kind: 'basic', name: text.slice(0, colon), password: text.slice(colon + 1) }
}
