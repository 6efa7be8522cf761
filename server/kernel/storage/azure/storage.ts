import type { Readable } from 'node:stream'
import {
  BlobSASPermissions,
  type BlobSASSignatureValues,
  type BlockBlobClient,
  generateBlobSASQueryParameters,
} from '@azure/storage-blob'
import { conflict, notFound } from '../../errors'
import { isObjectKey } from '../key'
import { failureOf, undefinedIfMissing } from '../remote'
import type { ListedObject, ObjectStorage } from '../types'
import type { Container } from './container'
import { createWriter } from './write'

/** Stores objects as blobs of an Azure container. */
export function createAzureStorage(container: Container): ObjectStorage {
  const { blob, asking } = container
  return {
    ...createWriter(container),
    // Whether the container can be used was checked when it was opened.
    prepare: async () => undefined,

    async size(key) {
      const facts = await asking(blob(key).getProperties().catch(undefinedIfMissing))
      return facts && (facts.contentLength ?? 0)
    },

    list: () => listBlobs(container),

    async get(key, range) {
      const count = range && range.end - range.start + 1
      const answer = await asking(blob(key).download(range?.start, count).catch(undefinedIfMissing))
      if (!answer) throw notFound()
      return answer.readableStreamBody as Readable
    },

    signedUrl: async (key, { contentType, contentDisposition, expiresInSeconds }) =>
      sign(container, blob(key), expiresInSeconds, {
        permissions: BlobSASPermissions.parse('r'),
        contentType,
        contentDisposition,
      }),

    signedUploadUrl: async (key, expiresInSeconds) =>
      sign(container, blob(key), expiresInSeconds, { permissions: BlobSASPermissions.parse('cw') }),

    async copy(from, to) {
      const source = blob(from)
      const facts = await asking(source.getProperties().catch(undefinedIfMissing))
      if (!facts) throw notFound()
      const options = { sourceConditions: { ifMatch: facts.etag ?? '' }, intervalInMs: 500 }
      const copying = blob(to).beginCopyFromURL(source.url, options)
      const ended = await asking(copying.then(poller => poller.pollUntilDone()).catch(undefinedIfReplaced))
      if (ended?.copyStatus !== 'success') throw conflict('the object was changed while it was copied')
    },
  }
}

async function* listBlobs({ client, prefix, asking }: Container): AsyncGenerator<ListedObject> {
  const blobs = client.listBlobsFlat({ prefix })
  for (;;) {
    const { value: blob, done } = await asking(blobs.next())
    if (done) return
    const key = blob.name.slice(prefix.length)
    if (isObjectKey(key)) yield { key, size: blob.properties.contentLength ?? 0 }
  }
}

function sign(
  { client, credential }: Container,
  to: BlockBlobClient,
  expiresInSeconds: number,
  values: Pick<BlobSASSignatureValues, 'permissions' | 'contentType' | 'contentDisposition'>,
): string {
  const { containerName } = client
  const expiresOn = new Date(Date.now() + expiresInSeconds * 1000)
  const query = generateBlobSASQueryParameters(
    { ...values, containerName, blobName: to.name, expiresOn },
    credential,
  )
  return `${to.url}?${query}`
}

function undefinedIfReplaced(error: unknown): undefined {
  if (failureOf(error).status !== 412) throw error
}
