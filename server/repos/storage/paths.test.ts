import { expect, it } from 'vitest'
import { intentPath, makingPath, newStorageKey, pushPath, repositoryPath } from './paths'

const config = { repositoryDir: '/srv/repositories' }

it('a repository lies below the first two digits of its key', () => {
  expect(repositoryPath(config, '0123456789abcdef0123456789abcdef')).toBe(
    '/srv/repositories/01/0123456789abcdef0123456789abcdef.git',
  )
})

it('a new key has the right form and is never the same', () => {
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
])('nothing but a key becomes a path: %j', key => {
  for (const path of [repositoryPath, makingPath, intentPath, pushPath]) {
    expect(() => path(config, key)).toThrow('not a storage key')
  }
})
