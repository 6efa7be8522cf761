import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid, notFound } from '@/server/kernel/errors'
import { sniffContentType, sniffedBytes } from '@/server/kernel/http/content-type'
import { readBeginning } from '@/server/kernel/read-beginning'
import { extendObject } from '@/server/kernel/storage/unused'
import { requireAllowedUpload } from '../assets/allowed-types'
import { discardUpload } from './discard'
import { expiryFrom } from './expiry'
import { UploadBusy, type UploadLock } from './lock'
import { readInParts } from './part-reader'
import { digestAt, keepDigest } from './running-digest'
import { addPart, type UploadRow } from './store'

const mib = 1024 * 1024
const maxParts = 10_000

// A crash loses at most one part. Very large files get larger parts to stay within the maximum number.
const partBytes = (size: number): number => Math.max(64 * mib, Math.ceil((2 * size) / maxParts))

/**
 * Appends a request body to an upload and records each part once it is durable. If the body fails or another
 * request wants the lock, the bytes received so far are kept.
 * @throws {UploadBusy} if another request wants the lock, or if the lock is lost.
 * @throws {DomainError} invalid if the type is not allowed or there are too many parts; notFound if the
 * upload was deleted; and as `ObjectStorage.putPart`.
 * @throws the error of the body if it fails.
 */
export async function receiveUpload(
  ctx: UserCtx,
  upload: UploadRow,
  lock: UploadLock,
  body: AsyncIterable<Uint8Array>,
): Promise<UploadRow> {
  const reader = readInParts(upload.received === 0 ? await inspected(ctx, upload, body) : body)
  let current = upload
  while (current.received < current.size) {
    if (current.parts >= maxParts)
      throw invalid(`an upload can have at most ${maxParts} parts; send larger requests`)
    const { id, received, size, parts, storage_key } = current
    const digest = digestAt(id, received)
    let seen = 0
    const part = reader.part(Math.min(partBytes(size), size - received), chunk => {
      seen += chunk.length
      digest?.hash.update(chunk)
    })
    const keptBytes = await ctx.storage.putPart(storage_key, parts, part, {
      expectedBytes: size,
      keepPartial: true,
      signal: lock.signal,
    })
    if (keptBytes > 0) {
      current = await notePart(ctx, current, lock, keptBytes)
      if (digest && keptBytes === seen) keepDigest(id, { hash: digest.hash, bytes: current.received })
    }
    if (lock.signal.aborted) throw new UploadBusy()
    if (reader.failure() !== undefined) throw reader.failure()
    if (reader.isEnded()) break
  }
  return current
}

async function notePart(
  ctx: UserCtx,
  upload: UploadRow,
  lock: UploadLock,
  bytes: number,
): Promise<UploadRow> {
  const now = ctx.clock.now()
  return await withTransaction(ctx.db, async trx => {
    const noted = await addPart(trx, upload, { bytes, lockToken: lock.token, now })
    if (!noted) throw new UploadBusy()
    if (!(await extendObject(trx, upload.storage_key, expiryFrom(now)))) throw notFound()
    return noted
  })
}

// Rejects a forbidden file type before the client sends the rest.
async function inspected(
  ctx: UserCtx,
  { id, name }: UploadRow,
  body: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const { beginning, all } = await readBeginning(body, sniffedBytes)
  if (beginning.length < sniffedBytes) return all
  try {
    requireAllowedUpload(ctx.config, { name, contentType: await sniffContentType(beginning) })
  } catch (error) {
    await discardUpload(ctx, id)
    throw error
  }
  return all
}
