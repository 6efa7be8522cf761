import { withTransaction } from '@/db/transaction'
import { dayMs } from '@/server/kernel/clock'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { defineJob } from '@/server/kernel/jobs'
import type { ReleaseFor } from '../load'
import type { Attachment } from '../schema'
import { lockRelease } from '../store'
import { announceRelease } from '../write'
import { requireRoom } from './limits'
import type { AttachmentFor } from './load'
import { deleteAttachmentsHiddenBefore, hideAttachment, unhideAttachment } from './store'
import { viewAttachment } from './view'

/**
 * Deletes a file of a release. It can be restored for one day.
 * @throws {DomainError} notFound if the file is deleted concurrently.
 */
export async function removeAttachment(
  ctx: ServiceCtx,
  { repository, release, attachment }: AttachmentFor<'write'>,
): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    if (!(await hideAttachment(trx, attachment.id, ctx.clock.now()))) throw deleted('attachment')
    announceRelease(trx, repository, release)
  })
}

/**
 * Restores a deleted file of a release. A newer file of the same name is kept as well.
 * @throws {DomainError} notFound if the file is not deleted or was deleted more than a day ago; unprocessable
 * if the release is full.
 */
export async function restoreAttachment(
  ctx: ServiceCtx,
  { repository, release }: ReleaseFor<'write'>,
  id: number,
): Promise<Attachment> {
  return await withTransaction(ctx.db, async trx => {
    if (!(await lockRelease(trx, release.id))) throw deleted('release')
    await requireRoom({ db: trx }, release)
    const restored = await unhideAttachment(trx, release.id, id, aDayAgo(ctx))
    if (!restored) throw deleted('attachment')
    announceRelease(trx, repository, release)
    return viewAttachment(ctx, restored)
  })
}

/** Permanently deletes files that users deleted from releases more than a day ago. */
export const sweepAttachmentsJob = defineJob({
  name: 'releases.sweepAttachments',
  run: async ctx => ({ deleted: await deleteAttachmentsHiddenBefore(ctx.db, aDayAgo(ctx)) }),
})

const aDayAgo = ({ clock }: Pick<ServiceCtx, 'clock'>): Date => new Date(clock.now().getTime() - dayMs)
