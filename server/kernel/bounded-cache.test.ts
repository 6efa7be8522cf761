import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBoundedCache } from './bounded-cache'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const keptOf = (cache: { get(key: string): unknown }, keys: string) =>
  [...keys].filter(key => cache.get(key) !== undefined).join('')

it('a full cache removes what was used least recently', () => {
  const cache = createBoundedCache<string>({ maxSize: 10, maxAgeMs: 1000 })
  for (const key of 'abc') cache.set(key, key, 3)
  expect(cache.get('a')).toBe('a')
  cache.set('d', 'd', 4)
  expect(keptOf(cache, 'abcd')).toBe('acd')
  cache.set('d', 'D', 1)
  cache.set('e', 'e', 3)
  expect([keptOf(cache, 'abcde'), cache.get('d')]).toEqual(['acde', 'D'])
})

it('a value that is larger than the cache is not kept, and replaces the one before', () => {
  const cache = createBoundedCache<string>({ maxSize: 10, maxAgeMs: 1000 })
  for (const key of 'ab') cache.set(key, key, 3)
  cache.set('a', 'larger', 11)
  expect(keptOf(cache, 'ab')).toBe('b')
})

it('a value is kept for a limited time since it was set', () => {
  const cache = createBoundedCache<string>({ maxSize: 10, maxAgeMs: 1000 })
  cache.set('a', 'a', 1)
  vi.advanceTimersByTime(900)
  expect(cache.get('a')).toBe('a')
  vi.advanceTimersByTime(200)
  expect(cache.get('a')).toBeUndefined()
})

it('removeBelow removes the keys that begin with a text', () => {
  const cache = createBoundedCache<string>({ maxSize: 10, maxAgeMs: 1000 })
  for (const key of ['x/1', 'x/2', 'y/1']) cache.set(key, key, 5)
  cache.removeBelow('x/')
  expect(['x/1', 'x/2', 'y/1'].map(key => cache.get(key))).toEqual([undefined, undefined, 'y/1'])
})

it('removeOld frees the memory of values that are too old', () => {
  const cache = createBoundedCache<string>({ maxSize: 10, maxAgeMs: 1000 })
  cache.set('a', 'a', 6)
  vi.advanceTimersByTime(900)
  cache.set('b', 'b', 2)
  cache.get('a')
  vi.advanceTimersByTime(200)
  cache.removeOld()
  // Otherwise, the one that was used less recently would make room.
  cache.set('c', 'c', 8)
  expect(keptOf(cache, 'abc')).toBe('bc')
})
