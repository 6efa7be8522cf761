import { randomUUID } from 'node:crypto'
import { withTransaction } from '@/db/transaction'
import { foreignKeyViolation } from '@/db/violation'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { claimObject } from '@/server/kernel/storage/unused'
import type { ReleaseFor } from '../load'
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
 * @throws {DomainError} notFound when the release is gone, conflict when the sweep has taken the file.
 */
export async function recordAttachment(
  ctx: UserCtx,
  { release }: ReleaseFor<'write'>,
  { name, size, sha256, contentType, storageKey, replace }: StoredAttachment,
): Promise<AttachmentRow> {
  try {
    return await withTransaction(ctx.db, async trx => {
      if (replace) {
        // Of two that replace the same file at once, one then replaces the other.
        await trx.selectFrom('releases').select('id').where('id', '=', release.id).forUpdate().execute()
        await deleteAttachmentsNamed(trx, release.id, name)
      }
      await claimObject(trx, storageKey)
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
  } catch (error) {
    if (foreignKeyViolation(error)) throw gone('release')
    throw error
  }
}
