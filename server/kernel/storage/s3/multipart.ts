import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { Bucket } from './bucket'

/** Object in an S3 bucket, or a byte range of one, that is copied as a part of a multipart upload. */
export interface CopyOf {
  name: string
  range?: { start: number; end: number } | undefined
}

/**
 * An S3 multipart upload. Sending its first part starts it, and the object is invisible until the upload is
 * complete.
 */
export interface Multipart {
  isBegun(): boolean
  /** Uploads a part. Numbers start at 0, and every part except the last must have at least 5 MiB. */
  send(number: number, body: Buffer, signal?: AbortSignal): Promise<void>
  copy(number: number, from: CopyOf): Promise<void>
  complete(): Promise<void>
  /** Aborts the upload. No request can be in flight. Failures are ignored, because the sweep tries again. */
  discard(): Promise<void>
}

export function createMultipart({ client, name: Bucket, asking }: Bucket, Key: string): Multipart {
  const parts: CompletedPart[] = []
  let begun: Promise<string | undefined> | undefined
  const begin = async () => {
    const { UploadId } = await asking(client.send(new CreateMultipartUploadCommand({ Bucket, Key })))
    return UploadId
  }
  const fieldsOf = async (number: number) => {
    begun ??= begin()
    return { Bucket, Key, UploadId: await begun, PartNumber: number + 1 }
  }

  return {
    isBegun: () => begun !== undefined,

    async send(number, Body, abortSignal) {
      const command = new UploadPartCommand({ ...(await fieldsOf(number)), Body })
      const { ETag } = await asking(client.send(command, abortSignal && { abortSignal }))
      parts[number] = { ETag, PartNumber: number + 1 }
    },

    async copy(number, { name, range }) {
      const CopySourceRange = range && `bytes=${range.start}-${range.end}`
      // Neither name contains characters that need encoding.
      const CopySource = `${Bucket}/${name}`
      const command = new UploadPartCopyCommand({ ...(await fieldsOf(number)), CopySource, CopySourceRange })
      // Called without `asking`: not every server supports copies, so a refusal is not a storage failure.
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
