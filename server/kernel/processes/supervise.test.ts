import { expect, it } from 'vitest'
import { pauseAfter } from './supervise'

it('a process that keeps failing is started again after up to 30 seconds', () => {
  expect([1, 2, 3, 4, 7, 50].map(pauseAfter)).toEqual([0, 1000, 2000, 4000, 30_000, 30_000])
})
