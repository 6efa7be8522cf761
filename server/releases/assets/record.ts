import { randomUUID } from 'node:crypto'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
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
  /** Files of this name are deleted in the same moment. */
  replace?: boolean | undefined
}

/**
 * Adds a file that is in the storage to its release, as uploaded by the caller.
 * @throws {DomainError} notFound when the release is gone, unprocessable when it is full, conflict when the sweep has taken the
 * file.
 */
export async function recordAttachment(
  ctx: UserCtx,
  { repository, release }: ReleaseFor<'write'>,
  { name, size, sha256, contentType, storageKey, replace }: StoredAttachment,
): Promise<AttachmentRow> {
  return await changeReleases(ctx, repository, release.tag_name, async trx => {
    // One after the other: of two that replace the same file, one then replaces the other.
    const present = await lockRelease(trx, release.id)
    if (!present) throw gone('release')
    if (replace) await deleteAttachmentsNamed(trx, release.id, name)
    await requireRoom({ db: trx }, release)
    await claimObject(trx, storageKey)
    announceRelease(trx, repository, present)
    return await insertAttachment(trx, {
      uuid: randomUUID(),
      release_id: release.id,
      repository_id: release.repository_id,
      uploader_id: ctx.caller.user.id,
      name,
      size,
      sha256,
      content_type: contentType,
      storage_key: storageKey,
      created_at: ctx.clock.now(),
    })
  })
}
