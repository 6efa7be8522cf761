import { describe, expect, it } from 'vitest'
import { originOf } from './origin'

const baseUrl = 'https://forge.example'

function origin(headers: Record<string, string>, behindTrustedProxy?: boolean): string {
  return originOf({ headers: new Headers(headers) }, { behindTrustedProxy }, { baseUrl })
}

describe('originOf', () => {
  it('returns the host in the request', () => {
    expect(origin({ host: 'guildhall:3000' })).toBe('http://guildhall:3000')
    expect(origin({ host: '[::1]:3000' })).toBe('http://[::1]:3000')
  })

  it('returns the site’s base URL for the site’s own host, because a proxy may terminate TLS', () => {
    expect(origin({ host: 'Forge.example' })).toBe(baseUrl)
  })

  it('returns the site’s base URL if the request has no valid host', () => {
    for (const host of ['', 'a b', 'evil.example/path', 'user@host', 'a:b', '<script>'])
      expect(origin(host ? { host } : {}), host).toBe(baseUrl)
  })

  it('uses forwarded headers only from a trusted proxy', () => {
    const headers = {
      host: 'internal:3000',
      'x-forwarded-host': 'ci.example, internal',
      'x-forwarded-proto': 'https, http',
    }
    expect(origin(headers, true)).toBe('https://ci.example')
    expect(origin(headers)).toBe('http://internal:3000')
    expect(origin({ host: 'ci.example', 'x-forwarded-proto': 'https' }, true)).toBe('https://ci.example')
    expect(origin({ host: 'ci.example', 'x-forwarded-proto': 'javascript' }, true)).toBe('http://ci.example')
  })
})
