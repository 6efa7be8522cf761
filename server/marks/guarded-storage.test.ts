import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { notFound, unavailable } from '@/server/kernel/errors'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { guardedStorage } from './guarded-storage'

it('guardedStorage reports missing objects as unavailable while the storage is not known to belong to the site', async () => {
  const there = {
    get: async (key: string) => {
      if (key !== 'kept') throw notFound()
      return Readable.from(['kept'])
    },
    size: async (key: string) => (key === 'kept' ? 4 : undefined),
  } as unknown as ObjectStorage
  let isOwn = false
  const requireObjects = async (): Promise<void> => {
    if (!isOwn) throw unavailable('away')
  }
  const storage = guardedStorage(there, { requireObjects })
  expect(await storage.size('kept')).toBe(4)
  expect(await storage.get('kept')).toBeInstanceOf(Readable)
  await expect(storage.get('lost')).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(storage.size('lost')).rejects.toMatchObject({ kind: 'unavailable' })
  isOwn = true
  await expect(storage.get('lost')).rejects.toMatchObject({ kind: 'notFound' })
  expect(await storage.size('lost')).toBeUndefined()
})
