import { expect, test } from 'vitest'
import { refusalOf } from './limits'

const gibibyte = 1024 ** 3

test('refusalOf shows the file size and the limit in bytes if both round to the same text', () => {
  const limits = { enabled: true, max_bytes: 2 * gibibyte, allowed_types: [] }
  expect(refusalOf({ name: 'a', size: 2 * gibibyte }, limits)).toBeUndefined()
  expect(refusalOf({ name: 'a', size: 2 * gibibyte + 1 }, limits)).toBe(
    'This file is 2,147,483,649 bytes; the limit is 2,147,483,648 bytes.',
  )
  expect(refusalOf({ name: 'a', size: 3 * gibibyte }, limits)).toBe('This file is 3 GiB; the limit is 2 GiB.')
})
