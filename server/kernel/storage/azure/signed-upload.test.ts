import { BlockBlobClient } from '@azure/storage-blob'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../log'
import { newObjectKey } from '../key'
import { startAzurite } from '../testing/azurite'
import { bytesOf } from '../testing/contract'
import type { ObjectStorage } from '../types'
import { openAzureStorage } from './open'

let server: Awaited<ReturnType<typeof startAzurite>>
let storage: ObjectStorage
beforeAll(async () => {
  server = await startAzurite()
  storage = await openAzureStorage(server.settings, createLog('silent'))
})
afterAll(() => server.stop())

const blockId = (number: number): string => Buffer.from(`block ${number}`).toString('base64')

it('a signed Azure upload URL accepts only blocks and a block list for its object', async () => {
  const key = newObjectKey()
  const url = (await storage.signedUploadUrl(key, 60)) ?? ''
  const blob = new BlockBlobClient(url)
  await blob.stageBlock(blockId(0), 'one, ', 5)
  await blob.stageBlock(blockId(1), 'two', 3)
  await blob.commitBlockList([blockId(0), blockId(1)])
  expect((await bytesOf(await storage.get(key))).toString()).toBe('one, two')
  await expect(blob.download()).rejects.toMatchObject({ statusCode: 403 })
  const elsewhere = new BlockBlobClient(url.replace(key, newObjectKey()))
  await expect(elsewhere.stageBlock(blockId(0), 'x', 1)).rejects.toMatchObject({ statusCode: 403 })
})

it('a copied Azure object remains unchanged when the holder of the upload URL writes the original object again', async () => {
  const [key, copy] = [newObjectKey(), newObjectKey()]
  const blob = new BlockBlobClient((await storage.signedUploadUrl(key, 60)) ?? '')
  await blob.upload('first', 5)
  await storage.copy?.(key, copy)
  await blob.upload('other', 5)
  expect((await bytesOf(await storage.get(copy))).toString()).toBe('first')
  await expect(storage.copy?.(newObjectKey(), newObjectKey())).rejects.toMatchObject({ kind: 'notFound' })
})
