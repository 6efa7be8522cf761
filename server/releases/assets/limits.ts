import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, notFound, tooLarge, unprocessable } from '@/server/kernel/errors'
import type { ReleaseRow } from '../store'
import type { UploadLimits } from './schema'
import { countAttachments } from './store'

type Limits = Pick<ServiceCtx, 'config'>

/** @throws {DomainError} notFound where the settings let nobody add files. */
export function requireAttachments({ config }: Limits): void {
  if (!config.attachments) throw notFound('attachment is not enabled')
}

/** The refusal of a file that is larger than the settings allow. */
export const exceedsLimit = ({ config }: Limits): DomainError =>
  tooLarge(`attachment exceeds limit ${config.releaseMaxBytes}`)

/** Lists of files have no pages, on the wire and off it. */
const maxFiles = 1000

/** @throws {DomainError} unprocessable for a release that has as many files as it can. */
export async function requireRoom(
  ctx: Pick<ServiceCtx, 'db'>,
  { id }: Pick<ReleaseRow, 'id'>,
): Promise<void> {
  if ((await countAttachments(ctx.db, id)) >= maxFiles) {
    throw unprocessable(`a release cannot have more than ${maxFiles} attachments`)
  }
}

/** Tells what files can be uploaded, before somebody chooses one. */
export function uploadLimits({ config }: Limits): UploadLimits {
  return {
    enabled: config.attachments,
    max_bytes: Number.isFinite(config.releaseMaxBytes) ? config.releaseMaxBytes : null,
    allowed_types: [...config.releaseAllowedTypes],
  }
}
