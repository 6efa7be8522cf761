import { describe, expect, it } from 'vitest'
import { sharesOf } from './root'

describe('sharesOf', () => {
  it('returns the first eight languages with their colors, and the rest as one', () => {
    const sizes = Object.fromEntries([
      ['TypeScript', 1_000],
      ...Array.from({ length: 9 }, (_, index) => [`Language ${index}`, 100 - index]),
    ])
    const shares = sharesOf(sizes)
    expect(shares[0]).toEqual({ name: 'TypeScript', color: '#3178c6', percent: 53.6 })
    expect(shares.slice(1).map(({ name }) => name)).toEqual([
      ...Array.from({ length: 7 }, (_, index) => `Language ${index}`),
      'Other',
    ])
    expect(shares.at(-1)).toEqual({ name: 'Other', color: null, percent: 9.9 })
  })

  it('counts languages of less than 0.05% to the rest, and leaves out a rest of less', () => {
    expect(sharesOf({ C: 100_000, Perl: 40, Awk: 30 })).toEqual([
      { name: 'C', color: '#555555', percent: 99.9 },
      { name: 'Other', color: null, percent: 0.1 },
    ])
    expect(sharesOf({ C: 100_000, Perl: 40 })).toEqual([{ name: 'C', color: '#555555', percent: 100 }])
    expect(sharesOf({})).toEqual([])
    expect(sharesOf({ C: 0 })).toEqual([])
  })
})
