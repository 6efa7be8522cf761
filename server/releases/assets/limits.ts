import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, notFound, tooLarge, unprocessable } from '@/server/kernel/errors'
import type { ReleaseRow } from '../store'
import type { UploadLimits } from './schema'
import { countAttachments } from './store'

type Limits = Pick<ServiceCtx, 'config'>

/**
 * Checks that the site allows files in releases.
 * @throws {DomainError} notFound if attachments are disabled.
 */
export function requireAttachments({ config }: Limits): void {
  if (!config.attachments) throw notFound('attachment is not enabled')
}

/** Returns the error for a file that exceeds the size limit. */
export const exceedsLimit = ({ config }: Limits): DomainError =>
  tooLarge(`attachment exceeds limit ${config.releaseMaxBytes}`)

/**
 * The maximum number of files per release, which bounds lists of files, because neither the API nor pages
 * paginate them.
 */
const maxFiles = 1000

/**
 * Checks that a file can be added to a release.
 * @throws {DomainError} unprocessable if the release already has the maximum number of files.
 */
export async function requireRoom(
  ctx: Pick<ServiceCtx, 'db'>,
  { id }: Pick<ReleaseRow, 'id'>,
): Promise<void> {
  if ((await countAttachments(ctx.db, id)) >= maxFiles) {
    throw unprocessable(`a release cannot have more than ${maxFiles} attachments`)
  }
}

/** Returns the upload limits, so that pages can check a file before they upload it. */
export function uploadLimits({ config }: Limits): UploadLimits {
  return {
    enabled: config.attachments,
    max_bytes: Number.isFinite(config.releaseMaxBytes) ? config.releaseMaxBytes : null,
    allowed_types: [...config.releaseAllowedTypes],
  }
}
