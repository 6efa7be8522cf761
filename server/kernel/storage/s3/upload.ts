import { PutObjectCommand } from '@aws-sdk/client-s3'
import { meter } from '../meter'
import { pieceBytesFor, sendInPieces } from '../pieces'
import type { PutPartOptions } from '../types'
import type { Bucket } from './bucket'
import { createMultipart } from './multipart'

const mib = 1024 * 1024
// S3's limit per multipart upload.
const mostPieces = 10_000

/**
 * Uploads an object to S3 and returns its size in bytes. A small object is sent in one request, a larger one
 * in a multipart upload.
 */
export async function upload(
  bucket: Bucket,
  name: string,
  source: AsyncIterable<Uint8Array>,
  options: PutPartOptions = {},
): Promise<number> {
  const pieceBytes = pieceBytesFor(options.expectedBytes ?? 0, mostPieces)
  const measured = meter(source, options, mib)
  const multipart = createMultipart(bucket, name)
  try {
    const count = await sendInPieces(measured, { pieceBytes, mostPieces }, async (piece, number, signal) => {
      // A piece that is not full is the last one.
      const isAll = number === 0 && piece.length < pieceBytes
      await (isAll ? putWhole(bucket, name, piece, signal) : multipart.send(number, piece, signal))
    })
    if (count === 0) await putWhole(bucket, name, Buffer.alloc(0))
    if (multipart.isBegun()) await multipart.complete()
    return measured.size()
  } catch (error) {
    await multipart.discard()
    throw error
  }
}

export async function putWhole(
  { client, name: Bucket, asking }: Bucket,
  Key: string,
  Body: Buffer,
  abortSignal?: AbortSignal,
): Promise<void> {
  const command = new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/octet-stream' })
  await asking(client.send(command, abortSignal && { abortSignal }))
}
