import type { UserCtx } from '@/server/kernel/ctx'
import { isDomainError, notFound } from '@/server/kernel/errors'
import { loadReleaseById, type ReleaseFor } from '../load'
import { oldestActive } from './expiry'
import { findUpload, type UploadRow } from './store'

/** An upload that the caller started, with its release, to which the caller can write. */
export interface LoadedUpload {
  upload: UploadRow
  found: ReleaseFor<'write'>
}

/**
 * Loads an upload that the caller started, if the caller can still write to its release.
 * @throws {DomainError} notFound in all other cases.
 */
export async function loadUpload(ctx: UserCtx, id: string): Promise<LoadedUpload> {
  const upload = await findUpload(ctx.db, id, oldestActive(ctx.clock.now()))
  if (upload?.user_id !== ctx.caller.user.id) throw notFound()
  try {
    return { upload, found: await loadReleaseById(ctx, upload, 'write') }
  } catch (error) {
    throw isDomainError(error) && error.kind === 'forbidden' ? notFound() : error
  }
}
