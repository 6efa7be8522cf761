import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkHeader } from './link-header'

const base = 'https://forge.example.com/api/v1/user/keys'

/** Parses the header like existing clients: splits at commas, then at semicolons. */
function read(header: string | undefined): Record<string, number> {
  const entries = (header ?? '').split(',').filter(Boolean)
  return Object.fromEntries(
    entries.map(entry => {
      const [address = '', rel = ''] = entry.split(';')
      const page = new URL(address.slice(1, -1)).searchParams.get('page')
      return [rel.replace(' rel="', '').replace('"', ''), Number(page)]
    }),
  )
}

describe('the targets of the Link header', () => {
  it.each([
    [1, 3, { next: 2, last: 3 }],
    [2, 3, { next: 3, last: 3, first: 1, prev: 1 }],
    [3, 3, { first: 1, prev: 2 }],
    [99, 3, { first: 1, prev: 2 }],
    [1, 1, {}],
    [99, 1, {}],
  ])('are correct on page %d of %d', (page, pages, expected) => {
    expect(read(linkHeader(base, { page, limit: 10, total: pages * 10 }))).toEqual(expected)
  })

  it('are omitted if the list is empty or fits on one page', () => {
    expect(linkHeader(base, { page: 1, limit: 10, total: 0 })).toBeUndefined()
    expect(linkHeader(base, { page: 5, limit: 10, total: 0 })).toBeUndefined()
    expect(linkHeader(base, { page: 1, limit: 10, total: 10 })).toBeUndefined()
  })

  it('are nonempty pages, and following rel="next" reaches the last page', () => {
    const size = fc.integer({ min: 1, max: 50 })
    fc.assert(
      fc.property(fc.nat(5000), size, fc.integer({ min: 1, max: 200 }), (total, limit, page) => {
        const rels = read(linkHeader(base, { page, limit, total }))
        const last = Math.max(1, Math.ceil(total / limit))
        for (const target of Object.values(rels)) {
          expect(target).toBeGreaterThanOrEqual(1)
          expect(target).toBeLessThanOrEqual(last)
        }
        expect('next' in rels).toBe(page < last)
        expect('prev' in rels).toBe(Math.min(page, last) > 1)
      }),
    )
  })
})

describe('the format of the Link header', () => {
  it('is exactly next, last, first, prev, separated by a comma without a space', () => {
    const at = (page: number) => `<${base}?limit=2&page=${page}>`
    expect(linkHeader(`${base}?page=2&limit=2`, { page: 2, limit: 2, total: 6 })).toBe(
      `${at(3)}; rel="next",${at(3)}; rel="last",${at(1)}; rel="first",${at(1)}; rel="prev"`,
    )
  })

  it('keeps the other query parameters, sorted, and the limit as it was sent', () => {
    const link = linkHeader(`${base}?q=b&limit=999&a=2&a=1`, { page: 1, limit: 50, total: 51 })
    expect(link).toContain(`<${base}?a=2&a=1&limit=999&page=2&q=b>; rel="next"`)
  })

  it('never contains a token from the query', () => {
    const link = linkHeader(`${base}?token=secret&access_token=secret`, { page: 1, limit: 1, total: 2 })
    expect(link).not.toContain('secret')
  })

  it('is omitted if the query is so long that clients would refuse the response', () => {
    const page = { page: 2, limit: 1, total: 9 }
    expect(linkHeader(`${base}?q=${'x'.repeat(1900)}`, page)?.length).toBeGreaterThan(4 * 1900)
    expect(linkHeader(`${base}?q=${'x'.repeat(2100)}`, page)).toBeUndefined()
  })

  it('is valid for any query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        fc.pre(!['page', 'token', 'access_token'].includes(name))
        const query = new URLSearchParams([[name.toWellFormed(), value.toWellFormed()]])
        const link = linkHeader(`${base}?${query}`, { page: 1, limit: 1, total: 2 }) ?? ''
        expect(link).toMatch(/^<[^<>,;\s]+>; rel="next",<[^<>,;\s]+>; rel="last"$/)
      }),
    )
  })
})
