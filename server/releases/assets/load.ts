import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadRelease, type ReleaseFor, type ReleasesNeed } from '../load'
import type { AttachmentPath } from './schema'
import { type AttachmentRow, findAttachment } from './store'

/**
 * A file of a release, with the release and its repository. The caller can read or write the release,
 * depending on `Need`.
 */
export type AttachmentFor<Need extends ReleasesNeed = ReleasesNeed> = ReleaseFor<Need> & {
  attachment: AttachmentRow
}

/**
 * Loads a file of a release if the caller has the required permission on the release.
 * @throws {DomainError} as `loadRelease`, and notFound if the release does not have the file.
 */
export async function loadAttachment<const Need extends ReleasesNeed>(
  ctx: ServiceCtx,
  path: AttachmentPath,
  need: Need,
): Promise<AttachmentFor<Need>> {
  const found = await loadRelease(ctx, path, need)
  const attachment = await findAttachment(ctx.db, found.release.id, path.attachment_id)
  if (!attachment) throw deleted('attachment')
  return { ...found, attachment }
}
