import { withTransaction } from '@/db/transaction'
import { foreignKeyViolation } from '@/db/violation'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, tooManyRequests } from '@/server/kernel/errors'
import { newObjectKey } from '@/server/kernel/storage/key'
import { reserveObject } from '@/server/kernel/storage/unused'
import { requireAllowedEnding } from '../assets/allowed-types'
import { exceedsLimit, requireAttachments, requireRoom } from '../assets/limits'
import { attachmentName } from '../assets/name'
import type { ReleaseFor } from '../load'
import { expiryFrom } from './expiry'
import { countUnfinished, insertUpload, type UploadRow } from './store'

/** The maximum number of unfinished uploads per user. */
const maxUnfinished = 100

/**
 * Creates an empty upload for a file of a release.
 * @throws {DomainError} notFound if attachments are disabled; invalid if the name is invalid or its extension
 * is not allowed; tooLarge if the file exceeds the size limit; unprocessable if the release is full;
 * tooManyRequests if the user has too many unfinished uploads.
 */
export async function beginUpload(
  ctx: UserCtx,
  { release }: ReleaseFor<'write'>,
  wanted: { id: string; name: string; size: number; replaces: boolean },
): Promise<UploadRow> {
  const { id, size, replaces } = wanted
  requireAttachments(ctx)
  const name = attachmentName(wanted.name)
  requireAllowedEnding(ctx.config, name)
  if (size > ctx.config.releaseMaxBytes) throw exceedsLimit(ctx)
  if (!replaces) await requireRoom(ctx, release)
  const { user } = ctx.caller
  if ((await countUnfinished(ctx.db, user.id)) >= maxUnfinished) throw tooManyUnfinished()
  const now = ctx.clock.now()
  const storageKey = newObjectKey()
  try {
    return await withTransaction(ctx.db, async trx => {
      await reserveObject(trx, storageKey, expiryFrom(now))
      return await insertUpload(trx, {
        id,
        release_id: release.id,
        repository_id: release.repository_id,
        user_id: user.id,
        name,
        size,
        replaces,
        storage_key: storageKey,
        created_at: now,
        updated_at: now,
      })
    })
  } catch (error) {
    if (foreignKeyViolation(error)) throw deleted('release')
    throw error
  }
}

const tooManyUnfinished = () =>
  tooManyRequests(`you have ${maxUnfinished} unfinished uploads; finish or cancel some of them first`, 60)
