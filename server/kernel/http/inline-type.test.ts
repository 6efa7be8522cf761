import { describe, expect, it } from 'vitest'
import { filePolicy, isUtf8Beginning, previewType } from './inline-type'

describe('previewType', () => {
  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/problem+json', 'application/problem+json; charset=utf-8'],
    ['Text/Plain; charset=latin1', 'text/plain; charset=utf-8'],
    ['text/markdown', 'text/plain; charset=utf-8'],
    ['text/csv', 'text/plain; charset=utf-8'],
    ['application/x-yaml', 'text/plain; charset=utf-8'],
    ['image/png', 'image/png'],
    ['audio/mpeg', 'audio/mpeg'],
    ['video/mp4', 'video/mp4'],
    ['application/pdf', 'application/pdf'],
  ])('shows %s as %s', (type, shown) => {
    expect(previewType(type)).toBe(shown)
  })

  it.each([
    'text/html',
    'text/xml',
    'text/xsl',
    'text/javascript',
    'application/xml',
    'application/xhtml+xml',
    'application/mathml+xml',
    'application/rss+xml',
    'application/javascript',
    'application/x-javascript',
    'image/svg+xml',
  ])('shows %s, which browsers may run, as plain text', type => {
    expect(previewType(type)).toBe('text/plain; charset=utf-8')
  })

  it.each([
    'application/zip',
    'application/octet-stream',
    'multipart/x-mixed-replace',
    'message/rfc822',
    'font/woff2',
    'x',
    '',
  ])('does not show %j', type => {
    expect(previewType(type)).toBeUndefined()
  })

  it('names no charset if the text is not UTF-8', () => {
    expect(previewType('text/plain', { isUtf8: false })).toBe('text/plain')
    expect(previewType('application/json', { isUtf8: false })).toBe('application/json')
  })
})

describe('isUtf8Beginning', () => {
  it('accepts an incomplete last character, but no invalid ones', () => {
    const bytes = Buffer.from('aü中')
    expect([0, 1, 2, 3, 4, 5, 6].map(end => isUtf8Beginning(bytes.subarray(0, end)))).not.toContain(false)
    expect(isUtf8Beginning(Buffer.from('fcr', 'latin1'))).toBe(true)
    expect(isUtf8Beginning(Buffer.from('für', 'latin1'))).toBe(false)
  })
})

describe('filePolicy', () => {
  it('sandboxes everything except PDF, audio, and video', () => {
    for (const type of ['text/plain', 'application/json', 'image/png', 'application/octet-stream'])
      expect(filePolicy(type), type).toMatch(/^default-src 'none'; .*; sandbox$/)
    for (const type of ['application/pdf', 'audio/mpeg', 'video/mp4'])
      expect(filePolicy(type), type).toMatch(/^default-src 'none'; (?!.*sandbox)/)
  })
})
