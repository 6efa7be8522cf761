import { withTransaction } from '@/db/transaction'
import { dayMs } from '@/server/kernel/clock'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
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
 * Deletes a file. For a day it can be restored.
 * @throws {DomainError} notFound when somebody else just deleted it.
 */
export async function removeAttachment(
  ctx: ServiceCtx,
  { repository, release, attachment }: AttachmentFor<'write'>,
): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    if (!(await hideAttachment(trx, attachment.id, ctx.clock.now()))) throw gone('attachment')
    announceRelease(trx, repository, release)
  })
}

/**
 * Takes the deletion of a file back. Where another one has its name by now, both stay.
 * @throws {DomainError} notFound when it was deleted more than a day ago, or not at all; unprocessable when the release is
 * full by now.
 */
export async function restoreAttachment(
  ctx: ServiceCtx,
  { repository, release }: ReleaseFor<'write'>,
  id: number,
): Promise<Attachment> {
  return await withTransaction(ctx.db, async trx => {
    if (!(await lockRelease(trx, release.id))) throw gone('release')
    await requireRoom({ db: trx }, release)
    const restored = await unhideAttachment(trx, release.id, id, aDayAgo(ctx))
    if (!restored) throw gone('attachment')
    announceRelease(trx, repository, release)
    return viewAttachment(ctx, restored)
  })
}

/** Deletes for good what was deleted more than a day ago. */
export const sweepAttachmentsJob = defineJob({
  name: 'releases.sweepAttachments',
  run: async ctx => ({ deleted: await deleteAttachmentsHiddenBefore(ctx.db, aDayAgo(ctx)) }),
})

const aDayAgo = ({ clock }: Pick<ServiceCtx, 'clock'>): Date => new Date(clock.now().getTime() - dayMs)
