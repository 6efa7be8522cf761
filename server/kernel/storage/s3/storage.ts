import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { notFound } from '../../errors'
import { hashWhile } from '../meter'
import { undefinedIfMissing } from '../remote'
import type { ObjectStorage } from '../types'
import { type Bucket, objectName, partName } from './bucket'
import { checkBucket } from './check'
import { composeSources, deleteParts, listParts } from './compose'
import { listBucket, listUnfinished } from './list'
import { hashPartObjects } from './part-hash'
import { upload } from './upload'

// Groups of parts are stored like parts, under numbers that no part has.
const firstGroup = 10_000_000

/**
 * Creates an object storage that keeps objects in an S3 bucket, and the uploaded parts of unfinished objects
 * as `parts/<key>/<number>`.
 */
export function createS3Storage(bucket: Bucket): ObjectStorage {
  const { client, name: Bucket, asking } = bucket

  async function size(key: string): Promise<number | undefined> {
    const command = new HeadObjectCommand({ Bucket, Key: objectName(bucket, key) })
    const facts = await asking(client.send(command).catch(undefinedIfMissing))
    return facts && (facts.ContentLength ?? 0)
  }

  async function openPart(key: string, part: number): Promise<Readable> {
    const command = new GetObjectCommand({ Bucket, Key: partName(bucket, key, part) })
    const answer = await asking(client.send(command).catch(undefinedIfMissing))
    if (!answer) throw notFound()
    return answer.Body as Readable
  }

  return {
    prepare: () => checkBucket(bucket),
    size,
    async put(key, source, options) {
      const name = objectName(bucket, key)
      return await hashWhile(source, hashed => upload(bucket, name, hashed, options))
    },

    putPart: (key, part, source, options) => upload(bucket, partName(bucket, key, part), source, options),

    hashParts: key => hashPartObjects(part => openPart(key, part)),

    async compose(key, parts) {
      const found = await listParts(bucket, key)
      const sources = parts.flatMap(({ part }) => {
        const size = found.get(part)
        return size === undefined ? [] : [{ name: partName(bucket, key, part), size }]
      })
      if (sources.length === parts.length) {
        const groupName = (group: number) => partName(bucket, key, firstGroup + group)
        await composeSources(bucket, objectName(bucket, key), sources, groupName)
      } else if ((await size(key)) === undefined) throw notFound('a part of the object is missing')
      await deleteParts(bucket, key, found.keys())
    },

    async get(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const command = new GetObjectCommand({ Bucket, Key: objectName(bucket, key), Range })
      const answer = await asking(client.send(command).catch(undefinedIfMissing))
      if (!answer) throw notFound()
      return answer.Body as Readable
    },

    async delete(key) {
      await discardUnfinished(bucket, key)
      await deleteParts(bucket, key, (await listParts(bucket, key)).keys())
      await asking(client.send(new DeleteObjectCommand({ Bucket, Key: objectName(bucket, key) })))
    },

    list: () => listBucket(bucket),

    signedUrl(key, { contentType, contentDisposition, expiresInSeconds: expiresIn }) {
      const command = new GetObjectCommand({
        Bucket,
        Key: objectName(bucket, key),
        ResponseContentType: contentType,
        ResponseContentDisposition: contentDisposition,
      })
      return asking(getSignedUrl(client, command, { expiresIn }))
    },

    signedUploadUrl: async () => undefined,
  }
}

// Pieces that a killed process uploaded are invisible, but they are stored and billed.
async function discardUnfinished(bucket: Bucket, key: string): Promise<void> {
  const { client, name: Bucket, asking } = bucket
  for (const Prefix of [objectName(bucket, key), `${bucket.prefix}parts/${key}/`]) {
    for (const { Key, UploadId } of await listUnfinished(bucket, Prefix)) {
      const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId })
      await asking(client.send(command).catch(undefinedIfMissing))
    }
  }
}
