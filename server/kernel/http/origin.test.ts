import { describe, expect, it } from 'vitest'
import { originOf } from './origin'

const baseUrl = 'https://forge.example'

function origin(headers: Record<string, string>, behindTrustedProxy?: boolean): string {
  return originOf({ headers: new Headers(headers) }, { behindTrustedProxy }, { baseUrl })
}

describe('the origin that a client asked for', () => {
  it('is the host that it names', () => {
    expect(origin({ host: 'guildhall:3000' })).toBe('http://guildhall:3000')
    expect(origin({ host: '[::1]:3000' })).toBe('http://[::1]:3000')
  })

  it('is the address of the site for its own host, whose proxy may end TLS', () => {
    expect(origin({ host: 'Forge.example' })).toBe(baseUrl)
  })

  it('is the address of the site where the client names no host', () => {
    for (const host of ['', 'a b', 'evil.example/path', 'user@host', 'a:b', '<script>'])
      expect(origin(host ? { host } : {}), host).toBe(baseUrl)
  })

  it('is what a trusted proxy forwards, and no other one', () => {
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
