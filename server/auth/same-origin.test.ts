import { describe, expect, it } from 'vitest'
import { isOurHost, isSameOrigin } from './same-origin'

const baseUrl = 'https://forge.example.com'
const check = (headers: Record<string, string>) => isSameOrigin(new Headers(headers), baseUrl)

describe('isSameOrigin for a browser that sends Sec-Fetch-Site', () => {
  it('accepts same-origin', () => {
    expect(check({ 'sec-fetch-site': 'same-origin' })).toBe(true)
  })

  it.each(['cross-site', 'same-site', 'none', 'nonsense'])('refuses %s, whatever the Origin header', site => {
    expect(check({ 'sec-fetch-site': site, origin: baseUrl, host: 'forge.example.com' })).toBe(false)
  })
})

describe('isSameOrigin for a browser that sends only Origin', () => {
  it('accepts the base URL of the site', () => {
    expect(check({ origin: baseUrl })).toBe(true)
  })

  it('accepts the host that the request was sent to', () => {
    expect(check({ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' })).toBe(true)
  })

  it.each([
    'https://evil.example',
    'https://forge.example.com.evil.example',
    'https://forge.example.com:8443',
    'http://forge.example.com',
    'null',
    'nonsense',
    '',
  ])('refuses the origin "%s"', origin => {
    expect(check({ origin, host: 'other.example.com' })).toBe(false)
  })
})

it('isSameOrigin refuses a request without Sec-Fetch-Site and Origin', () => {
  expect(check({})).toBe(false)
  expect(check({ referer: `${baseUrl}/user/settings`, host: 'forge.example.com' })).toBe(false)
})

describe('isOurHost', () => {
  it.each([
    'forge.example.com',
    'forge.example.com:8443',
    'localhost:3000',
    '127.0.0.1:3000',
    '10.1.2.3',
    '[::1]:3000',
  ])('accepts %s', host => {
    expect(isOurHost(host, baseUrl)).toBe(true)
  })

  it.each(['evil.example', 'forge.example.com.evil.example', 'localhost.evil.example', 'a b', '', null])(
    'refuses %s',
    host => {
      expect(isOurHost(host, baseUrl)).toBe(false)
    },
  )
})
