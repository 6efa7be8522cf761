import { dayMs } from '@/server/kernel/clock'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { defineJob } from '@/server/kernel/jobs'
import type { ReleaseFor } from '../load'
import type { Attachment } from '../schema'
import type { AttachmentFor } from './load'
import { deleteAttachmentsHiddenBefore, hideAttachment, unhideAttachment } from './store'
import { viewAttachment } from './view'

/**
 * Deletes a file. For a day it can be restored.
 * @throws {DomainError} notFound when somebody else just deleted it.
 */
export async function removeAttachment(
  ctx: ServiceCtx,
  { attachment }: AttachmentFor<'write'>,
): Promise<void> {
  if (!(await hideAttachment(ctx.db, attachment.id, ctx.clock.now()))) throw gone('attachment')
}

/**
 * Takes the deletion of a file back.
 * @throws {DomainError} notFound when it was deleted more than a day ago, or not at all.
 */
export async function restoreAttachment(
  ctx: ServiceCtx,
  { release }: ReleaseFor<'write'>,
  id: number,
): Promise<Attachment> {
  const restored = await unhideAttachment(ctx.db, release.id, id, aDayAgo(ctx))
  if (!restored) throw gone('attachment')
  return viewAttachment(ctx, restored)
}

/** Deletes for good what was deleted more than a day ago. */
export const sweepAttachmentsJob = defineJob({
  name: 'releases.sweepAttachments',
  run: async ctx => ({ deleted: await deleteAttachmentsHiddenBefore(ctx.db, aDayAgo(ctx)) }),
})

const aDayAgo = ({ clock }: Pick<ServiceCtx, 'clock'>): Date => new Date(clock.now().getTime() - dayMs)
