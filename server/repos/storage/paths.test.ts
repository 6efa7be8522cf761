import { expect, it } from 'vitest'
import { intentPath, makingPath, newStorageKey, pushPath, repositoryPath } from './paths'

const config = { repositoryDir: '/srv/repositories' }

it('repositoryPath returns a directory below the first two digits of the storage key', () => {
  expect(repositoryPath(config, '0123456789abcdef0123456789abcdef')).toBe(
    '/srv/repositories/01/0123456789abcdef0123456789abcdef.git',
  )
})

it('newStorageKey returns a valid and different key each time', () => {
  const keys = new Set(Array.from({ length: 100 }, newStorageKey))
  expect(keys.size).toBe(100)
  for (const key of keys) expect(repositoryPath(config, key)).toContain(key)
})

it.each([
  '',
  '..',
  '../../etc',
  '0123456789ABCDEF0123456789ABCDEF',
  '0123456789abcdef0123456789abcde/',
  'a'.repeat(33),
])('the path functions reject %j, which is not a storage key', key => {
  for (const path of [repositoryPath, makingPath, intentPath, pushPath]) {
    expect(() => path(config, key)).toThrow('not a storage key')
  }
})
