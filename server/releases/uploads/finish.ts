import { Readable } from 'node:stream'
import type { UserCtx } from '@/server/kernel/ctx'
import { conflict, isDomainError, notFound } from '@/server/kernel/errors'
import { sniffContentType, sniffedBytes } from '@/server/kernel/http/content-type'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { loadAgain } from '../assets/add'
import { requireAllowedUpload } from '../assets/allowed-types'
import { requireAttachments } from '../assets/limits'
import { recordAttachment, type StoredAttachment } from '../assets/record'
import type { ReleaseFor } from '../load'
import { lockRelease } from '../store'
import { changeReleases } from '../write'
import { discardUpload } from './discard'
import type { LoadedUpload } from './load'
import { forgetDigest, wholeDigest } from './running-digest'
import { lockUploadRow, noteAttachment, type UploadRow } from './store'

/**
 * Turns a complete upload into a file of its release and returns the file's ID. Every step can be repeated,
 * because an earlier request could have been interrupted after it.
 * @throws {DomainError} invalid if the type is not allowed, conflict if the stored parts do not add up to the
 * file's size; both also delete the upload; otherwise as `recordAttachment` and `loadAgain`.
 */
export async function finishUpload(ctx: UserCtx, { upload, found }: LoadedUpload): Promise<number> {
  const { storage } = ctx
  const { id, name, replaces, size, storage_key: storageKey } = upload
  if (upload.attachment_id !== null) return upload.attachment_id
  requireAttachments(ctx)
  await compose(storage, upload)
  try {
    await requireWhole(storage, upload)
    const contentType = await sniffContentType(await beginningOf(storage, upload))
    requireAllowedUpload(ctx.config, { name, contentType })
    const sha256 = await wholeDigest(upload, storage)
    const present = await loadAgain(ctx, found)
    const file = { name, size, sha256, contentType, storageKey, replace: replaces }
    const attachmentId = await becomeFile(ctx, present, id, file)
    forgetDigest(id)
    return attachmentId
  } catch (error) {
    // These errors are permanent, so the client must start over with a new upload.
    if (isDomainError(error) && ['invalid', 'conflict'].includes(error.kind)) await discardUpload(ctx, id)
    throw error
  }
}

// Uses one transaction, so that a concurrent cancellation either sees the file or prevents it.
async function becomeFile(
  ctx: UserCtx,
  found: ReleaseFor<'write'>,
  id: string,
  file: StoredAttachment,
): Promise<number> {
  const { repository, release } = found
  return await changeReleases(ctx, repository, release.tag_name, async trx => {
    await lockRelease(trx, release.id)
    const upload = await lockUploadRow(trx, id)
    if (!upload) throw notFound()
    // If this request lost the lock, another request could have finished the upload already.
    if (upload.attachment_id !== null) return upload.attachment_id
    const attachment = await recordAttachment({ ...ctx, db: trx }, found, file)
    await noteAttachment(trx, id, attachment.id)
    return attachment.id
  })
}

async function compose(storage: ObjectStorage, { size, parts, storage_key }: UploadRow): Promise<void> {
  if (size === 0) await storage.put(storage_key, Readable.from([]))
  else
    await storage.compose(
      storage_key,
      Array.from({ length: parts }, (_, part) => ({ part })),
    )
}

// Detects when a process that stalled and lost its lock has overwritten a part with one of a different
// length.
async function requireWhole(storage: ObjectStorage, { size, storage_key }: UploadRow): Promise<void> {
  if ((await storage.size(storage_key)) === size) return
  throw conflict('the stored parts of this upload do not add up to its size; upload the file again')
}

async function beginningOf(storage: ObjectStorage, { size, storage_key }: UploadRow): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0)
  const range = { start: 0, end: Math.min(size, sniffedBytes) - 1 }
  return Buffer.concat(await (await storage.get(storage_key, range)).toArray())
}
