import { expect, test } from 'vitest'
import { refusalOf } from './limits'

const gibibyte = 1024 ** 3

test('sizes that read alike are told to the byte', () => {
  const limits = { enabled: true, max_bytes: 2 * gibibyte, allowed_types: [] }
  expect(refusalOf({ name: 'a', size: 2 * gibibyte }, limits)).toBeUndefined()
  expect(refusalOf({ name: 'a', size: 2 * gibibyte + 1 }, limits)).toBe(
    'This file has 2,147,483,649 bytes; at most 2,147,483,648 bytes are taken.',
  )
  expect(refusalOf({ name: 'a', size: 3 * gibibyte }, limits)).toBe(
    'This file has 3 GiB; at most 2 GiB are taken.',
  )
})
