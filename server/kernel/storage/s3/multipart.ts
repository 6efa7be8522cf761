import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { Bucket } from './bucket'

/** What one part is copied from; without a range all of it. */
export interface CopyOf {
  name: string
  range?: { start: number; end: number } | undefined
}

/** An object in the making, of which nothing is visible before it is complete. It begins with its first part. */
export interface Multipart {
  isBegun(): boolean
  /** Numbers begin with 0. All but the last part have 5 MiB at least. */
  send(number: number, body: Buffer, signal?: AbortSignal): Promise<void>
  copy(number: number, from: CopyOf): Promise<void>
  complete(): Promise<void>
  /** Discards the parts; nothing may be on its way anymore. Bears every failure: the sweep asks again. */
  discard(): Promise<void>
}

export function createMultipart({ client, name: Bucket, asking }: Bucket, Key: string): Multipart {
  const parts: CompletedPart[] = []
  let begun: Promise<string | undefined> | undefined
  const begin = async () => {
    const { UploadId } = await asking(client.send(new CreateMultipartUploadCommand({ Bucket, Key })))
    return UploadId
  }
  const place = async (number: number) => {
    begun ??= begin()
    return { Bucket, Key, UploadId: await begun, PartNumber: number + 1 }
  }

  return {
    isBegun: () => begun !== undefined,

    async send(number, Body, abortSignal) {
      const command = new UploadPartCommand({ ...(await place(number)), Body })
      const { ETag } = await asking(client.send(command, abortSignal && { abortSignal }))
      parts[number] = { ETag, PartNumber: number + 1 }
    },

    async copy(number, { name, range }) {
      const CopySourceRange = range && `bytes=${range.start}-${range.end}`
      // Neither has a character that would have to be encoded.
      const CopySource = `${Bucket}/${name}`
      const command = new UploadPartCopyCommand({ ...(await place(number)), CopySource, CopySourceRange })
      // A refusal is no failure of the storage: not every server can do it.
      const { CopyPartResult } = await client.send(command)
      parts[number] = { ETag: CopyPartResult?.ETag, PartNumber: number + 1 }
    },

    async complete() {
      const UploadId = await begun
      const MultipartUpload = { Parts: parts }
      await asking(
        client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload })),
      )
    },

    async discard() {
      const UploadId = await begun?.catch(() => undefined)
      if (!UploadId) return
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined)
    },
  }
}
