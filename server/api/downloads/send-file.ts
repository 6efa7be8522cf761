import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Answer, Call } from '@/server/kernel/http/call'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { servedContentType } from '@/server/kernel/http/content-type'
import { filePolicy, previewType } from '@/server/kernel/http/inline-type'
import { type AttachmentRow, countDownload } from '@/server/releases'
import { sendStored } from '../stored-file'

const signedSeconds = 5 * 60

/** Responds with a release file and counts the download. */
export async function sendFile(
  ctx: ServiceCtx,
  call: Call,
  file: AttachmentRow,
  common: Record<string, string>,
): Promise<Answer> {
  const contentType = servedContentType(file)
  return await sendStored(ctx, call, {
    key: file.storage_key,
    size: file.size,
    sha256: file.sha256,
    etag: `"${file.uuid}"`,
    contentType,
    disposition: contentDisposition(previewType(contentType) ? 'inline' : 'attachment', file.name),
    common: { ...common, 'Content-Security-Policy': filePolicy(contentType) },
    direct: { status: 303, seconds: signedSeconds },
    logged: { attachment: file.id },
    onStart: () => countDownload(ctx.db, file.id),
  })
}
