import { describe, expect, it } from 'vitest'
import { meter } from './meter'
import { pieceBytesFor, sendInPieces } from './pieces'
import type { Bucket } from './s3/bucket'
import { upload } from './s3/upload'
import { from } from './testing/contract'

const mib = 1024 * 1024
const gib = 1024 * mib

describe('the pieces that an object is uploaded in', () => {
  it.each([
    ['small if the object is small or of unknown length', 0, 8 * mib],
    ['small if the limit allows it', 78 * gib, 8 * mib],
    ['large enough to stay within the limit', 400 * gib, 41 * mib],
    ['never too large for memory', Infinity, 64 * mib],
  ])('are %s', (_, expectedBytes, pieceBytes) => {
    expect(pieceBytesFor(expectedBytes, 10_000)).toBe(pieceBytes)
  })

  it('are refused if there are more than the storage accepts', async () => {
    const sent: number[] = []
    const send = async (_: Buffer, number: number) => void sent.push(number)
    const measured = meter(from(Buffer.alloc(3)), {}, 1)
    const sending = sendInPieces(measured, { pieceBytes: 1, mostPieces: 2 }, send)
    await expect(sending).rejects.toMatchObject({ kind: 'tooLarge' })
    expect(sent).toEqual([0, 1])
  })

  it('are large enough in an S3 bucket for the declared length', async () => {
    const sizes: number[] = []
    const client = {
      send: async ({ input }: { input: { UploadId?: string; Body?: Buffer } }) => {
        if (input.Body) sizes.push(input.Body.length)
        return { UploadId: 'upload', ETag: 'etag' }
      },
    }
    const bucket = {
      client,
      name: 'bucket',
      prefix: '',
      asking: (request: unknown) => request,
    } as unknown as Bucket
    await upload(bucket, 'object', from(Buffer.alloc(50 * mib)), { expectedBytes: 400 * gib })
    expect(sizes).toEqual([41 * mib, 9 * mib])
  })
})
