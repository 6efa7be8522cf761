import { expect, it } from 'vitest'
import { isUntried, isUsed } from './key-use'

const added = '2026-11-01T10:00:00Z'
const fresh = { created_at: added, last_used_at: added, last_used_address: null }

it('isUsed returns true from a key’s first use on, even if that is within the second in which the key was added', () => {
  expect(isUsed(fresh)).toBe(false)
  expect(isUsed({ ...fresh, last_used_address: '192.0.2.7' })).toBe(true)
  expect(isUsed({ ...fresh, last_used_at: '2026-11-01T10:00:01Z' })).toBe(true)
})

it('isUntried returns true for a key that was never used, unless the key has expired', () => {
  expect(isUntried({ ...fresh, expires_at: undefined })).toBe(true)
  expect(isUntried({ ...fresh, expires_at: '2026-11-02T10:00:00Z' })).toBe(false)
})
