import { expect, it } from 'vitest'
import { isUntried, isUsed } from './key-use'

const added = '2026-11-01T10:00:00Z'
const fresh = { created_at: added, last_used_at: added, last_used_address: null }

it('a key counts as used from its first use on, even in the second in which it was added', () => {
  expect(isUsed(fresh)).toBe(false)
  expect(isUsed({ ...fresh, last_used_address: '192.0.2.7' })).toBe(true)
  expect(isUsed({ ...fresh, last_used_at: '2026-11-01T10:00:01Z' })).toBe(true)
})

it('a key that has expired unused is not worth a try', () => {
  expect(isUntried({ ...fresh, expires_at: undefined })).toBe(true)
  expect(isUntried({ ...fresh, expires_at: '2026-11-02T10:00:00Z' })).toBe(false)
})
