import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSigned, sign } from './signature'

const config = { secretKey: 'a key of at least thirty-two characters' }
const fields = ['12', '345', '1790000000']

it('isSigned accepts a signature only for the fields and the purpose that were signed', () => {
  const signature = sign(config, 'GET artifact', fields)
  expect(isSigned(config, 'GET artifact', fields, signature)).toBe(true)
  expect(isSigned(config, 'PUT artifact upload', fields, signature)).toBe(false)
  expect(isSigned({ secretKey: `${config.secretKey}.` }, 'GET artifact', fields, signature)).toBe(false)
  for (const other of [
    ['12', '345', '1790000001'],
    ['12', '345'],
    [...fields, ''],
    ['345', '12', fields[2]!],
  ]) {
    expect(isSigned(config, 'GET artifact', other, signature), other.join()).toBe(false)
  }
})

it('sign gives different signatures when characters move from one field to the next, unlike signing without lengths (CVE-2026-58426)', () => {
  const concatenated = (parts: string[]) => createHmac('sha256', 'key').update(parts.join('')).digest('hex')
  expect(concatenated(['1', '2345'])).toBe(concatenated(['12', '345']))
  expect(sign(config, 'GET artifact', ['1', '2345'])).not.toBe(sign(config, 'GET artifact', ['12', '345']))
  expect(sign(config, 'GET artifact', ['1:2', '3'])).not.toBe(sign(config, 'GET artifact', ['1', '2:3']))
})

it('a signature has no trailing "=" that clients could drop from a URL', () => {
  const received = (url: string) => url.replace(/=+$/, '')
  const padded = createHmac('sha256', 'key').update('any').digest('base64')
  expect(received(`/file?sig=${padded}`)).not.toBe(`/file?sig=${padded}`)
  const signature = sign(config, 'GET artifact', fields)
  expect(signature).toMatch(/^[\w-]{43}$/)
  expect(received(`/file?sig=${signature}`)).toBe(`/file?sig=${signature}`)
})

it('isSigned refuses a valid signature in another base64 encoding', () => {
  const signature = sign(config, 'GET artifact', fields)
  const last = signature.at(-1)!
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last character contains two bits that decoding ignores.
  const other = signature.slice(0, -1) + alphabet[alphabet.indexOf(last) ^ 1]
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(signature, 'base64url'))
  for (const wrong of [other, `${signature}=`, ` ${signature}`, '', signature.slice(1)]) {
    expect(isSigned(config, 'GET artifact', fields, wrong)).toBe(false)
  }
})
