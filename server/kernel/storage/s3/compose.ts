import type { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { isDomainError } from '../../errors'
import { failureOf } from '../remote'
import { eightAtOnce } from './at-once'
import { type Bucket, partName, partsFolder } from './bucket'
import { createMultipart } from './multipart'
import { planSegments, type Slice } from './segments'
import { upload } from './upload'

/** Returns the sizes of an object's existing parts by number. */
export async function listParts(bucket: Bucket, key: string): Promise<Map<number, number>> {
  const { client, asking } = bucket
  const Prefix = partsFolder(bucket, key)
  const sizes = new Map<number, number>()
  const pages = paginateListObjectsV2({ client }, { Bucket: bucket.name, Prefix })
  const readAll = async () => {
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size = 0 } of Contents) sizes.set(Number(Key.slice(Prefix.length)), Size)
    }
  }
  await asking(readAll())
  return sizes
}

export async function deleteParts(bucket: Bucket, key: string, parts: Iterable<number>): Promise<void> {
  const { client, name: Bucket, asking } = bucket
  await eightAtOnce([...parts], part =>
    asking(client.send(new DeleteObjectCommand({ Bucket, Key: partName(bucket, key, part) }))),
  )
}

/**
 * Composes parts of these sizes into one object. The server copies them; if it cannot, they are downloaded and
 * uploaded.
 */
export async function composeParts(
  bucket: Bucket,
  key: string,
  name: string,
  sizes: readonly number[],
): Promise<void> {
  const segments = planSegments(sizes)
  const multipart = createMultipart(bucket, name)
  try {
    await eightAtOnce(segments, async (segment, number) => {
      if ('sent' in segment) return await multipart.send(number, await readSlices(bucket, key, segment.sent))
      const { part, ...range } = segment.copied
      const isAll = range.end - range.start + 1 === sizes[part]
      await multipart.copy(number, { name: partName(bucket, key, part), range: isAll ? undefined : range })
    })
    if (multipart.isBegun()) return await multipart.complete()
  } catch (error) {
    await multipart.discard()
    if (!isRefusal(error)) throw error
  }
  const expectedBytes = sizes.reduce((sum, size) => sum + size, 0)
  await upload(bucket, name, allBytes(bucket, key, sizes), { expectedBytes })
}

// Some servers cannot copy parts, and some require parts of equal length.
function isRefusal(error: unknown): boolean {
  const { status } = failureOf(isDomainError(error) ? error.cause : error)
  return status === 501 || (status >= 400 && status < 500)
}

async function readSlices(bucket: Bucket, key: string, slices: Slice[]): Promise<Buffer> {
  const chunks = await Promise.all(
    slices.map(async ({ part, start, end }) => {
      const body = await openPart(bucket, key, part, `bytes=${start}-${end}`)
      return Buffer.concat(await body.toArray())
    }),
  )
  return Buffer.concat(chunks)
}

async function* allBytes(bucket: Bucket, key: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [part, size] of sizes.entries()) if (size > 0) yield* await openPart(bucket, key, part)
}

async function openPart(bucket: Bucket, key: string, part: number, Range?: string): Promise<Readable> {
  const Key = partName(bucket, key, part)
  const command = new GetObjectCommand({ Bucket: bucket.name, Key, Range })
  return (await bucket.asking(bucket.client.send(command))).Body as Readable
}
