import { randomUUID } from 'node:crypto'
import { actingAccount } from '@/server/kernel/caller'
import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { claimObject } from '@/server/kernel/storage/unused'
import type { ReleaseFor } from '../load'
import { lockRelease } from '../store'
import { announceRelease, changeReleases } from '../write'
import { requireRoom } from './limits'
import { type AttachmentRow, deleteAttachmentsNamed, insertAttachment } from './store'
import type { FileContent } from './store-file'

export interface StoredAttachment extends FileContent {
  name: string
  storageKey: string
  /** Whether to delete the release's other files of this name in the same transaction. */
  replace?: boolean | undefined
}

/**
 * Adds a stored file to its release, with the caller as the uploader.
 * @throws {DomainError} notFound if the release was deleted; unprocessable if it is full; conflict if the
 * cleanup job has deleted the stored object.
 */
export async function recordAttachment(
  ctx: ActingCtx,
  { repository, release }: ReleaseFor<'write'>,
  { name, size, sha256, contentType, storageKey, replace }: StoredAttachment,
): Promise<AttachmentRow> {
  return await changeReleases(ctx, repository, release.tag_name, async trx => {
    // The lock serializes uploads to a release. If two of them replace the same file, the later one also
    // replaces the file of the earlier one.
    const present = await lockRelease(trx, release.id)
    if (!present) throw deleted('release')
    if (replace) await deleteAttachmentsNamed(trx, release.id, name)
    await requireRoom({ db: trx }, release)
    await claimObject(trx, storageKey)
    announceRelease(trx, repository, present)
    return await insertAttachment(trx, {
      uuid: randomUUID(),
      release_id: release.id,
      repository_id: release.repository_id,
      uploader_id: actingAccount(ctx.caller)?.id ?? null,
      name,
      size,
      sha256,
      content_type: contentType,
      storage_key: storageKey,
      created_at: ctx.clock.now(),
    })
  })
}
