import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountSmallDisk } from '@/testing/small-disk'
import { createLog } from '../../log'
import { newObjectKey } from '../key'
import { bytesOf, digest, from } from '../testing/contract'
import type { ObjectStorage } from '../types'
import { createDiskStorage } from './disk'

const mib = 1024 * 1024
const disk = await mountSmallDisk(8)
const directory = disk?.directory ?? ''

describe.skipIf(!disk)('an object storage on a disk of 8 MiB', () => {
  const lines: Record<string, unknown>[] = []
  let storage: ObjectStorage
  beforeAll(() => {
    const log = createLog('debug', { write: line => void lines.push(JSON.parse(line)) })
    storage = createDiskStorage(directory, log)
  })

  it('reports that it is full, keeps existing objects intact, leaves no partial objects, and still accepts objects that fit', async () => {
    const [kept, other] = [newObjectKey(), newObjectKey()]
    const bytes = Buffer.alloc(3 * mib, 'x')
    await storage.put(kept, from(bytes))
    const full = { kind: 'unavailable', message: 'the storage is full' }
    const large = Array.from({ length: 10 }, () => Buffer.alloc(mib))
    await expect(storage.put(other, from(...large))).rejects.toMatchObject(full)
    await expect(storage.putPart(other, 0, from(...large), { keepPartial: true })).rejects.toMatchObject(full)
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', msg: 'the storage is full' }))
    expect(await storage.size(other)).toBeUndefined()
    const files = (await readdir(directory, { recursive: true })).filter(name => name.includes(other))
    expect(files).toEqual([join('parts', other)])

    await storage.put(other, from(bytes))
    for (const key of [kept, other])
      expect(digest(await bytesOf(await storage.get(key)))).toEqual(digest(bytes))
  })

  it('accepts new objects after others are deleted', async () => {
    const key = newObjectKey()
    await storage.put(key, from(Buffer.alloc(mib)))
    await storage.delete(key)
    await expect(storage.put(key, from(Buffer.alloc(mib)))).resolves.toMatchObject({ size: mib })
  })
})

afterAll(() => disk?.unmount())
