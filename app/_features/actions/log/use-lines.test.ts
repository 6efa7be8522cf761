import { describe, expect, it } from 'vitest'
import { readLines } from './use-lines'

describe('readLines', () => {
  it.each([
    ['#L12', { first: 12, last: 12 }],
    ['#L12-L20', { first: 12, last: 20 }],
    ['#L20-L12', { first: 12, last: 20 }],
    ['#L0', undefined],
    ['#L1-', undefined],
    ['#job-3', undefined],
    ['', undefined],
  ])('reads "%s" as %j', (hash, lines) => {
    expect(readLines(hash)).toEqual(lines)
  })
})
