import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { wireTime } from '@/server/kernel/wire'
import type { ReleaseFor } from '../load'
import { discardUpload } from './discard'
import { oldestActive } from './expiry'
import { loadUpload } from './load'
import type { UnfinishedUpload } from './schema'
import { selectUnfinished } from './store'

/** Lists the caller's unfinished uploads to a release, oldest first. */
export async function listUploads(
  ctx: UserCtx,
  { release }: ReleaseFor<'write'>,
): Promise<UnfinishedUpload[]> {
  const whose = { releaseId: release.id, userId: ctx.caller.user.id }
  const rows = await selectUnfinished(ctx.db, whose, oldestActive(ctx.clock.now()))
  return rows.map(({ id, name, size, received, replaces, updated_at }) => ({
    id,
    name,
    size,
    received,
    replaces,
    updated_at: wireTime(updated_at),
  }))
}

/**
 * Cancels one of the caller's uploads to a release.
 * @throws {DomainError} notFound, also for an upload to another release.
 */
export async function cancelUpload(
  ctx: UserCtx,
  { release }: ReleaseFor<'write'>,
  id: string,
): Promise<void> {
  const { upload } = await loadUpload(ctx, id)
  if (upload.release_id !== release.id) throw notFound()
  await discardUpload(ctx, upload.id)
}
