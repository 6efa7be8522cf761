import type { ServiceCtx } from '@/server/kernel/ctx'
import { loadRelease } from '../load'
import type { Attachment, ReleasePath } from '../schema'
import { loadAttachment } from './load'
import type { AttachmentPath } from './schema'
import { selectAttachments } from './store'
import { viewAttachment, viewAttachments } from './view'

/**
 * Lists the files of a release, sorted by name.
 * @throws {DomainError} as `loadRelease`.
 */
export async function listAttachments(ctx: ServiceCtx, path: ReleasePath): Promise<Attachment[]> {
  const found = await loadRelease(ctx, path, 'read')
  return viewAttachments(ctx, found, found.release, await selectAttachments(ctx.db, found.release.id))
}

/**
 * Returns a file of a release.
 * @throws {DomainError} as `loadAttachment`.
 */
export async function getAttachment(ctx: ServiceCtx, path: AttachmentPath): Promise<Attachment> {
  return viewAttachment(ctx, (await loadAttachment(ctx, path, 'read')).attachment)
}
