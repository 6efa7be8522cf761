import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { cursorInput, offsetOf, pageFromRows, pageInput, wholePage } from './pagination'

const input = z.object(pageInput)

describe('pageInput', () => {
  it.each([undefined, '', '0', '-1', 'abc', '1.5', 'NaN', 'Infinity', '1e999', '0x', [], ['x', '2']])(
    'reads %j as the first page of 30 entries',
    value => {
      expect(input.parse({ page: value, limit: value })).toEqual({ page: 1, limit: 30 })
    },
  )

  it.each([
    ['2', '10', { page: 2, limit: 10 }],
    [2, 10, { page: 2, limit: 10 }],
    [['2', '3'], ['10', '20'], { page: 2, limit: 10 }],
    ['1', '51', { page: 1, limit: 50 }],
  ])('reads page %j and limit %j as %j', (page, limit, expected) => {
    expect(input.parse({ page, limit })).toEqual(expected)
  })

  it('turns any text into a page that the database can be queried for', () => {
    const text = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.bigInt().map(String),
    )
    fc.assert(
      fc.property(text, text, (page, limit) => {
        const request = input.parse({ page, limit })
        expect(request.limit).toBeGreaterThanOrEqual(1)
        expect(request.limit).toBeLessThanOrEqual(50)
        expect(request.page).toBeGreaterThanOrEqual(1)
        expect(Number.isSafeInteger(offsetOf(request))).toBe(true)
      }),
    )
  })
})

describe('the cursor input', () => {
  const { cursor } = cursorInput

  it.each([undefined, '', []])('%j selects the page that starts with the newest entry', value => {
    expect(cursor.parse(value)).toBeUndefined()
  })

  it.each([['7'], [7], [['7', '8']]])(
    '%j selects the page that starts after the entry with the ID 7',
    value => {
      expect(cursor.parse(value)).toBe(7)
    },
  )

  it.each(['0', '-1', 'abc', '1.5', '1e3', '0x7', ' 7', '\0', '1'.repeat(16), Number.NaN, -7])(
    '%j is refused because it is not an ID',
    value => {
      expect(cursor.safeParse(value).success).toBe(false)
    },
  )
})

describe('the total of a page', () => {
  it('is read from the rows of the page', async () => {
    const countAll = vi.fn()
    const page = await pageFromRows({ page: 2, limit: 2 }, [{ id: 3, total: 7 }], countAll)
    expect(page).toEqual({ page: 2, limit: 2, total: 7, items: [{ id: 3, total: 7 }] })
    expect(countAll).not.toHaveBeenCalled()
  })

  it('takes a second query only if a page after the first is empty', async () => {
    const countAll = vi.fn(async () => 7)
    expect((await pageFromRows({ page: 9, limit: 2 }, [], countAll)).total).toBe(7)
    expect((await pageFromRows({ page: 1, limit: 2 }, [], countAll)).total).toBe(0)
    expect(countAll).toHaveBeenCalledTimes(1)
  })

  it('is the length of the list for wholePage', () => {
    expect(wholePage(['a', 'b'])).toEqual({ items: ['a', 'b'], total: 2, page: 1, limit: 2 })
    expect(wholePage([])).toMatchObject({ total: 0, page: 1 })
  })
})
