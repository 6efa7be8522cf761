import { describe, expect, it } from 'vitest'
import { contentDisposition } from './content-disposition'

describe('contentDisposition', () => {
  it.each([
    ['tool.bin', 'tool.bin', 'tool.bin'],
    ['100%.txt', '100_.txt', '100%25.txt'],
    ["it's.txt", 'it_s.txt', 'it%27s.txt'],
    ['a;b.txt', 'a_b.txt', 'a%3Bb.txt'],
    ['a"b\\c/d', 'a_b_c_d', 'a%22b%5Cc%2Fd'],
    ['ü 中.txt', '_ _.txt', '%C3%BC%20%E4%B8%AD.txt'],
    ['😀', '_', '%F0%9F%98%80'],
    ['a\r\nSet-Cookie: b', 'a__Set-Cookie: b', 'a%0D%0ASet-Cookie%3A%20b'],
    ['*(!)', '*(!)', '%2A%28!%29'],
    ['\ud800', '_', '%EF%BF%BD'],
  ])('encodes the filename %j both plainly and as in RFC 5987', (name, fallback, extended) => {
    expect(contentDisposition('attachment', name)).toBe(
      `attachment; filename="${fallback}"; filename*=UTF-8''${extended}`,
    )
  })

  it.each(['100%.txt', "it's.txt", 'a;b.txt', 'ü 中.txt', 'a"b.txt'])(
    'is read as the filename %j by clients that know one encoding and by those that know both',
    name => {
      // Parsing by the package @actions/artifact, up to 6.2.0 and since 6.2.1.
      const header = contentDisposition('inline', name)
      const [, plain = ''] = /filename="?([^;"']*)/i.exec(header) ?? []
      const [, extended = ''] = /filename\*=UTF-8''([^;]*)/i.exec(header) ?? []
      expect(decodeURIComponent(plain)).toMatch(/^[\w. ]+\.txt$/)
      expect(decodeURIComponent(extended)).toBe(name)
    },
  )
})
