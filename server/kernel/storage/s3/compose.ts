import type { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { isDomainError } from '../../errors'
import { failureOf } from '../remote'
import { type Bucket, partName, partsFolder } from './bucket'
import { eightConcurrently } from './eight-concurrently'
import { createMultipart } from './multipart'
import { planSegments, type Segment, type Slice } from './segments'
import { upload } from './upload'

/** Returns the sizes in bytes of the uploaded parts of an unfinished object, by part number. */
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
  await deleteObjects(
    bucket,
    Array.from(parts, part => partName(bucket, key, part)),
  )
}

async function deleteObjects({ client, name: Bucket, asking }: Bucket, names: string[]): Promise<void> {
  await eightConcurrently(names, Key => asking(client.send(new DeleteObjectCommand({ Bucket, Key }))))
}

/** An object in an S3 bucket whose content is copied into a composed object. */
export interface Source {
  name: string
  size: number
}

// S3's limit per multipart upload.
const mostSegments = 10_000
// The largest parts are copied in five segments.
const groupSize = 2000

/**
 * Composes objects in an S3 bucket into one object. The S3 server copies their content; if it cannot, the
 * content is downloaded and uploaded again. If there are too many objects for one multipart upload, groups of
 * them are composed first, under the names that `groupName` returns.
 */
export async function composeSources(
  bucket: Bucket,
  name: string,
  sources: readonly Source[],
  groupName: (group: number) => string,
): Promise<void> {
  const segments = planSegments(sources.map(({ size }) => size))
  if (segments.length <= mostSegments) return await composeSegments(bucket, name, sources, segments)
  const groups: Source[] = []
  for (let start = 0; start < sources.length; start += groupSize) {
    const group = sources.slice(start, start + groupSize)
    const joined = { name: groupName(groups.length), size: sizeOf(group) }
    await composeSegments(bucket, joined.name, group, planSegments(group.map(({ size }) => size)))
    groups.push(joined)
  }
  await composeSegments(bucket, name, groups, planSegments(groups.map(({ size }) => size)))
  await deleteObjects(
    bucket,
    groups.map(group => group.name),
  )
}

const sizeOf = (sources: readonly Source[]): number => sources.reduce((sum, { size }) => sum + size, 0)

async function composeSegments(
  bucket: Bucket,
  name: string,
  sources: readonly Source[],
  segments: readonly Segment[],
): Promise<void> {
  const multipart = createMultipart(bucket, name)
  try {
    await eightConcurrently(segments, async (segment, number) => {
      if ('sent' in segment) {
        return await multipart.send(number, await readSlices(bucket, sources, segment.sent))
      }
      const { part, ...range } = segment.copied
      const source = at(sources, part)
      const isAll = range.end - range.start + 1 === source.size
      await multipart.copy(number, { name: source.name, range: isAll ? undefined : range })
    })
    if (multipart.isBegun()) return await multipart.complete()
  } catch (error) {
    await multipart.discard()
    if (!isRefusal(error)) throw error
  }
  await upload(bucket, name, allBytes(bucket, sources), { expectedBytes: sizeOf(sources) })
}

// Some servers cannot copy parts, and some require parts of equal length.
function isRefusal(error: unknown): boolean {
  const { status } = failureOf(isDomainError(error) ? error.cause : error)
  return status === 501 || (status >= 400 && status < 500)
}

// A small part that is used repeatedly is read once.
async function readSlices(bucket: Bucket, sources: readonly Source[], slices: Slice[]): Promise<Buffer> {
  const nameOf = ({ part, start, end }: Slice) => `${at(sources, part).name} ${start} ${end}`
  const distinct = new Map(slices.map(slice => [nameOf(slice), slice]))
  const read = new Map<string, Buffer>()
  await eightConcurrently([...distinct], async ([name, { part, start, end }]) => {
    const body = await openSource(bucket, at(sources, part), `bytes=${start}-${end}`)
    read.set(name, Buffer.concat(await body.toArray()))
  })
  return Buffer.concat(slices.map(slice => read.get(nameOf(slice)) ?? Buffer.alloc(0)))
}

async function* allBytes(bucket: Bucket, sources: readonly Source[]): AsyncGenerator<Uint8Array> {
  for (const source of sources) if (source.size > 0) yield* await openSource(bucket, source)
}

async function openSource(bucket: Bucket, { name: Key }: Source, Range?: string): Promise<Readable> {
  const command = new GetObjectCommand({ Bucket: bucket.name, Key, Range })
  return (await bucket.asking(bucket.client.send(command))).Body as Readable
}

function at(sources: readonly Source[], index: number): Source {
  const source = sources[index]
  if (!source) throw new Error(`there is no source ${index}`)
  return source
}
