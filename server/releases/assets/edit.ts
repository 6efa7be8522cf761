import type { ServiceCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import type { Attachment } from '../schema'
import { requireAllowedName } from './allowed-types'
import type { AttachmentFor } from './load'
import { newAttachmentName } from './name'
import { renameAttachment } from './store'
import { viewAttachment } from './view'

/**
 * Renames a file; an empty name leaves it as it is.
 * @throws {DomainError} unprocessable for a name that cannot be, or whose ending is not allowed.
 */
export async function editAttachment(
  ctx: ServiceCtx,
  { attachment }: AttachmentFor<'write'>,
  wanted: { name?: string | undefined },
): Promise<Attachment> {
  const name = newAttachmentName(wanted.name ?? '')
  if (name === undefined || name === attachment.name) return viewAttachment(ctx, attachment)
  requireAllowedName(ctx.config, { name, contentType: attachment.content_type })
  const changed = await renameAttachment(ctx.db, attachment.id, name, ctx.clock.now())
  if (!changed) throw gone('attachment')
  return viewAttachment(ctx, changed)
}
