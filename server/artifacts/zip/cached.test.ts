import { expect, it } from 'vitest'
import { packZip, zipInMemory } from '@/testing/zip'
import { cachedDirectory } from './cached'

it('cachedDirectory reads the directory of an archive once, even for concurrent calls', async () => {
  const source = zipInMemory(packZip([{ name: 'a' }]))
  await Promise.all([cachedDirectory('once', source), cachedDirectory('once', source)])
  await cachedDirectory('once', source)
  expect(source.ranges).toHaveLength(1)
})

it('cachedDirectory does not cache a failure', async () => {
  const bytes = packZip([{ name: 'a' }])
  const source = zipInMemory(bytes)
  const broken = { ...source, open: () => Promise.reject(new Error('away')) }
  await expect(cachedDirectory('fails', broken)).rejects.toThrow()
  expect((await cachedDirectory('fails', source)).members.size).toBe(1)
})

it('cachedDirectory evicts the least recently used directories to make room for large ones', async () => {
  const small = zipInMemory(packZip([{ name: 'a' }]))
  const [old, used] = [{ ...small, ranges: small.ranges }, zipInMemory(packZip([{ name: 'b' }]))]
  await cachedDirectory('old', old)
  await cachedDirectory('used', used)
  const names = Array.from({ length: 65_000 }, (_, index) => ({ name: `${index}` }))
  const large = packZip(names)
  for (const key of ['1', '2', '3', '4']) {
    await cachedDirectory('used', used)
    await cachedDirectory(`large ${key}`, zipInMemory(large))
  }
  await cachedDirectory('used', used)
  expect(used.ranges).toHaveLength(1)
  await cachedDirectory('old', old)
  expect(old.ranges).toHaveLength(2)
})
