import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import type { Attachment } from '../schema'
import { announceRelease } from '../write'
import { requireAllowedName } from './allowed-types'
import type { AttachmentFor } from './load'
import { newAttachmentName } from './name'
import { renameAttachment } from './store'
import { viewAttachment } from './view'

/**
 * Renames a file of a release. An empty name changes nothing.
 * @throws {DomainError} unprocessable if the name is invalid or its extension is not allowed; notFound if the
 * file is deleted concurrently.
 */
export async function editAttachment(
  ctx: ServiceCtx,
  { repository, release, attachment }: AttachmentFor<'write'>,
  wanted: { name?: string | undefined },
): Promise<Attachment> {
  const name = newAttachmentName(wanted.name ?? '')
  if (name === undefined || name === attachment.name) return viewAttachment(ctx, attachment)
  requireAllowedName(ctx.config, { name, contentType: attachment.content_type })
  return await withTransaction(ctx.db, async trx => {
    const changed = await renameAttachment(trx, attachment.id, name, ctx.clock.now())
    if (!changed) throw deleted('attachment')
    announceRelease(trx, repository, release)
    return viewAttachment(ctx, changed)
  })
}
