import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { notFound } from '../../errors'
import { failureOf, undefinedIfMissing } from '../remote'
import type { ObjectStorage } from '../types'
import { type Bucket, objectName, partName } from './bucket'
import { composeParts, deleteParts, listParts } from './compose'
import { upload } from './upload'

/** Stores objects in a bucket, and parts of unfinished objects as `parts/<key>/<number>`. */
export function createS3Storage(bucket: Bucket): ObjectStorage {
  const { client, name: Bucket, asking } = bucket

  async function size(key: string): Promise<number | undefined> {
    const command = new HeadObjectCommand({ Bucket, Key: objectName(bucket, key) })
    const facts = await asking(client.send(command).catch(undefinedIfMissing))
    return facts && (facts.ContentLength ?? 0)
  }

  return {
    size,
    put: (key, source, options) => upload(bucket, objectName(bucket, key), source, options),
    putPart: (key, part, source, options) => upload(bucket, partName(bucket, key, part), source, options),

    async compose(key, parts) {
      const found = await listParts(bucket, key)
      const sizes = Array.from({ length: parts }, (_, part) => found.get(part))
      if (sizes.every(size => size !== undefined)) {
        await composeParts(bucket, key, objectName(bucket, key), sizes)
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

    signedUrl(key, { contentType, contentDisposition, expiresInSeconds: expiresIn }) {
      const command = new GetObjectCommand({
        Bucket,
        Key: objectName(bucket, key),
        ResponseContentType: contentType,
        ResponseContentDisposition: contentDisposition,
      })
      return asking(getSignedUrl(client, command, { expiresIn }))
    },
  }
}

// Pieces that a killed process uploaded are invisible, but they are stored and billed.
async function discardUnfinished(bucket: Bucket, key: string): Promise<void> {
  const { client, name: Bucket, asking } = bucket
  for (const Prefix of [objectName(bucket, key), `${bucket.prefix}parts/${key}/`]) {
    const listing = client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
    const { Uploads = [] } = await asking(listing.catch(noneIfRefused))
    for (const { Key, UploadId } of Uploads) {
      const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId })
      await asking(client.send(command).catch(undefinedIfMissing))
    }
  }
}

// Not every server supports this listing, and not every key has the permission.
function noneIfRefused(error: unknown): { Uploads?: undefined } {
  const { status } = failureOf(error)
  if (status === 501 || (status >= 400 && status < 500)) return {}
  throw error
}
