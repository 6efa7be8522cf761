import type { Config } from '@/server/kernel/config'
import { wireTime } from '@/server/kernel/wire'
import type { Attachment } from '../schema'
import type { ReleaseRow } from '../store'
import type { AttachmentRow } from './store'

interface ViewCtx {
  config: Pick<Config, 'baseUrl'>
}

/** Converts a file to its wire format, with its permanent URL. */
export function viewAttachment({ config }: ViewCtx, row: AttachmentRow): Attachment {
  return {
    id: row.id,
    name: row.name,
    size: row.size,
    download_count: row.download_count,
    created_at: wireTime(row.created_at),
    uuid: row.uuid,
    browser_download_url: `${config.baseUrl}/attachments/${row.uuid}`,
    digest: `sha256:${row.sha256.toString('hex')}`,
  }
}

/**
 * Converts all files of a release to their wire format. URLs contain file names if these are unique, and
 * UUIDs otherwise.
 */
export function viewAttachments(
  ctx: ViewCtx,
  { owner, repository }: { owner: { name: string }; repository: { name: string } },
  { tag_name }: Pick<ReleaseRow, 'tag_name'>,
  rows: readonly AttachmentRow[],
): Attachment[] {
  const shown = rows.map(row => viewAttachment(ctx, row))
  if (new Set(rows.map(row => row.name)).size < rows.length) return shown
  const path = [owner.name, repository.name, 'releases', 'download', ...tag_name.split('/')]
  const base = [ctx.config.baseUrl, ...path.map(encodeURIComponent)].join('/')
  return shown.map(file => ({ ...file, browser_download_url: `${base}/${encodeURIComponent(file.name)}` }))
}
