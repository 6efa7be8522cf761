import { describe, expect, it } from 'vitest'
import { isOurHost, isSameOrigin } from './same-origin'

const baseUrl = 'https://forge.example.com'
const check = (headers: Record<string, string>) => isSameOrigin(new Headers(headers), baseUrl)

describe('a browser that states where its request comes from', () => {
  it('is believed when it says it is one of our pages', () => {
    expect(check({ 'sec-fetch-site': 'same-origin' })).toBe(true)
  })

  it.each(['cross-site', 'same-site', 'none', 'nonsense'])(
    'is refused when it says %s, whatever the origin',
    site => {
      expect(check({ 'sec-fetch-site': site, origin: baseUrl, host: 'forge.example.com' })).toBe(false)
    },
  )
})

describe('an older browser', () => {
  it('is believed when the origin is the address people know us by', () => {
    expect(check({ origin: baseUrl })).toBe(true)
  })

  it('is believed when the origin is the host it reached us at', () => {
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
  ])('is refused with the origin "%s"', origin => {
    expect(check({ origin, host: 'other.example.com' })).toBe(false)
  })
})

it('a request that states nothing is refused', () => {
  expect(check({})).toBe(false)
  expect(check({ referer: `${baseUrl}/user/settings`, host: 'forge.example.com' })).toBe(false)
})

describe('the name a request was sent to', () => {
  it.each([
    'forge.example.com',
    'forge.example.com:8443',
    'localhost:3000',
    '127.0.0.1:3000',
    '10.1.2.3',
    '[::1]:3000',
  ])('%s is ours', host => {
    expect(isOurHost(host, baseUrl)).toBe(true)
  })

  it.each(['evil.example', 'forge.example.com.evil.example', 'localhost.evil.example', 'a b', '', null])(
    '%s could be somebody else’s',
    host => {
      expect(isOurHost(host, baseUrl)).toBe(false)
    },
  )
})
