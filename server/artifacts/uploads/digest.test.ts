import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { hashPartObjects } from '@/server/kernel/storage/s3/part-hash'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { digestOf, forgetDigest, noteBlock } from './digest'

it('blocks are hashed as they arrive, in any order, and not again at the end', async () => {
  const read: number[] = []
  const open = async (part: number) => {
    read.push(part)
    return Readable.from([Buffer.from(`part ${part}`)])
  }
  const storage = { hashParts: () => hashPartObjects(open) } as unknown as ObjectStorage
  const uuid = randomUUID()
  const note = (index: number, part: number) => {
    const name = Buffer.from(uuid + String(index).padStart(12, '0')).toString('base64')
    return noteBlock({ storage }, { name, part, storageKey: 'key' })
  }
  // Each index has a different part number, because blocks take numbers in order of arrival.
  const indexes = [2, 1, 0, 5, 3, 4, 9, 8, 7, 6]
  for (const [part, index] of indexes.entries()) await note(index, part)
  const parts = indexes.map((_, index) => indexes.indexOf(index))
  await expect.poll(() => read.length).toBe(indexes.length)
  const sha256 = await digestOf(storage, { storageKey: 'key', parts })
  const all = parts.map(part => `part ${part}`).join('')
  expect(sha256).toEqual(createHash('sha256').update(all).digest())
  expect(read).toEqual(parts)
  forgetDigest('key')
})
