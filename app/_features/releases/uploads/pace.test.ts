import { expect, test } from 'vitest'
import { timeLeft } from './pace'

test('timeLeft rounds the remaining time to a suitable unit', () => {
  expect(timeLeft(100, undefined)).toBeUndefined()
  expect(timeLeft(590, 10)).toBe('59 s left')
  expect(timeLeft(600, 10)).toBe('1 min left')
  expect(timeLeft(36_000, 10)).toBe('1 h 0 min left')
  expect(timeLeft(1e9, 10)).toBe('more than a day left')
})
