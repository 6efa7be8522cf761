import { ListMultipartUploadsCommand, type MultipartUpload, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { isObjectKey } from '../key'
import { failureOf } from '../remote'
import type { ListedObject } from '../types'
import type { Bucket } from './bucket'

/** Lists the objects of a bucket, without the parts of unfinished ones. */
export async function* listBucket(bucket: Bucket): AsyncGenerator<ListedObject> {
  const { client, name: Bucket, prefix: Prefix, asking } = bucket
  const pages = paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter: '/' })
  for (;;) {
    const { value: page, done } = await asking(pages.next())
    if (done) break
    for (const { Key = '', Size: size = 0 } of page.Contents ?? []) {
      const key = Key.slice(Prefix.length)
      if (isObjectKey(key)) yield { key, size }
    }
  }
  for (const { Key = '' } of await listUnfinished(bucket, Prefix)) {
    const key = Key.slice(Prefix.length)
    if (isObjectKey(key)) yield { key, size: undefined }
  }
}

/** Returns up to 1,000 unfinished uploads of objects whose names start with a prefix. */
export async function listUnfinished(
  { client, name: Bucket, asking }: Bucket,
  Prefix: string,
): Promise<MultipartUpload[]> {
  const listing = client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
  return (await asking(listing.catch(noneIfRefused))).Uploads ?? []
}

// Not every server supports this listing, and not every key has the permission.
function noneIfRefused(error: unknown): { Uploads?: undefined } {
  const { status } = failureOf(error)
  if (status === 501 || (status >= 400 && status < 500)) return {}
  throw error
}
