import { describe, expect, it } from 'vitest'
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from './session-cookie'

const plain = 'http://localhost:3000'
const secure = 'https://forge.example.com'

describe('the session cookie', () => {
  it('is HttpOnly and SameSite=Lax', () => {
    expect(writeSessionCookie('abc', plain)).toBe(
      'guildhall_session=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    )
  })

  it('is bound to the host and to TLS if the site uses TLS', () => {
    expect(writeSessionCookie('abc', secure)).toBe(
      '__Host-guildhall_session=abc; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
  })

  it('is deleted under the name it was stored under', () => {
    expect(clearSessionCookie(plain)).toMatch(/^guildhall_session=; Max-Age=0; .*SameSite=Lax$/)
    expect(clearSessionCookie(secure)).toMatch(
      /^__Host-guildhall_session=; Max-Age=0; .*Secure; SameSite=Lax$/,
    )
  })
})

describe('readSessionCookie', () => {
  it.each([plain, secure])('returns the secret from a cookie that was set at %s', baseUrl => {
    const [pair = ''] = writeSessionCookie('a-b_c', baseUrl).split(';')
    expect(readSessionCookie(`other=1; ${pair}; more=2`, baseUrl)).toBe('a-b_c')
  })

  it('ignores a cookie without the __Host- prefix over TLS', () => {
    expect(readSessionCookie('guildhall_session=abc', secure)).toBeUndefined()
    expect(readSessionCookie('__Host-guildhall_session=abc', plain)).toBeUndefined()
  })

  it.each([
    null,
    '',
    ';',
    '=',
    'guildhall_session',
    'guildhall_session=',
    'xguildhall_session=abc',
    'Guildhall_session=a',
  ])('returns undefined for the Cookie header %j', header => {
    expect(readSessionCookie(header, plain)).toBeUndefined()
  })
})
