import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { digestOf, forgetDigest, noteBlock } from './digest'

it('blocks are hashed while they arrive, in any order, and not again at the end', async () => {
  const read: number[] = []
  const storage = {
    async getPart(_key: string, part: number) {
      read.push(part)
      return Readable.from([Buffer.from(`part ${part}`)])
    },
  } as unknown as ObjectStorage
  const uuid = randomUUID()
  const note = (place: number, part: number) => {
    const name = Buffer.from(uuid + String(place).padStart(12, '0')).toString('base64')
    return noteBlock({ storage }, 1, { name, part, storageKey: 'key' })
  }
  // Each place has a part of another number, as blocks take numbers in the order of their arrival.
  const places = [2, 1, 0, 5, 3, 4, 9, 8, 7, 6]
  for (const [part, place] of places.entries()) await note(place, part)
  const parts = places.map((_, place) => ({ part: places.indexOf(place), size: 6 }))
  await expect.poll(() => read.length).toBe(places.length)
  const sha256 = await digestOf(storage, { artifactId: 1, storageKey: 'key', parts })
  const all = parts.map(({ part }) => `part ${part}`).join('')
  expect(sha256).toEqual(createHash('sha256').update(all).digest())
  expect(read).toEqual(parts.map(({ part }) => part))
  forgetDigest(1)
})
