import type { Readable } from 'node:stream'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import type { Answer, Call } from '@/server/kernel/http/call'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { servedContentType } from '@/server/kernel/http/content-type'
import { hasAlready, wantsAnother } from '@/server/kernel/http/etag'
import { filePolicy, previewType } from '@/server/kernel/http/preview'
import { type Range, rangeOf } from '@/server/kernel/http/range'
import { type AttachmentRow, countDownload } from '@/server/releases'

const signedSeconds = 5 * 60

/**
 * Responds with the file, the requested range, or a redirect to a signed URL. Counts clients that start a download or
 * already have the file, but not those that continue one or send HEAD.
 */
export async function sendFile(
  ctx: ServiceCtx,
  call: Call,
  file: AttachmentRow,
  common: Record<string, string>,
): Promise<Answer> {
  const type = servedContentType(file)
  const disposition = contentDisposition(previewType(type) ? 'inline' : 'attachment', file.name)
  const digest = file.sha256.toString('base64')
  const headers = {
    ...common,
    'Content-Security-Policy': filePolicy(type),
    ETag: `"${file.uuid}"`,
    'Accept-Ranges': 'bytes',
    'Content-Type': type,
    'Content-Disposition': disposition,
    'Repr-Digest': `sha-256=:${digest}:`,
    Digest: `sha-256=${digest}`,
  }
  const isHead = call.method === 'HEAD'
  const direct = isHead ? undefined : await signedUrl(ctx, file, type, disposition)
  // The storage evaluates conditions itself, against its own ETags.
  if (!direct && wantsAnother(call.headers, headers.ETag)) {
    return { status: 412, headers: { ...common, ETag: headers.ETag }, body: '' }
  }
  const hasIt = hasAlready(call.headers, headers.ETag)
  const range = hasIt || isHead ? undefined : rangeOf(call.headers, file.size, headers.ETag)
  if (range === 'none') {
    return { status: 416, headers: { ...common, 'Content-Range': `bytes */${file.size}` }, body: '' }
  }
  if (!isHead && (!range || range.start === 0)) await countDownload(ctx.db, file.id)
  if (hasIt) return { status: 304, headers }
  if (direct) return { status: 303, headers: { ...common, Location: direct } }
  const status = range ? 206 : 200
  const sent = { ...headers, ...lengthOf(file, range) }
  if (isHead) return { status, headers: sent }
  return { status, headers: sent, body: await openFile(ctx, file, range) }
}

async function openFile(
  { storage, log, requestId }: ServiceCtx,
  { id, storage_key }: AttachmentRow,
  range: Range | undefined,
): Promise<Readable> {
  try {
    return await storage.get(storage_key, range)
  } catch (error) {
    if (isDomainError(error) && error.kind === 'notFound') {
      log.error(
        { requestId, attachment: id, object: storage_key },
        'a release file is missing from the storage',
      )
    }
    throw error
  }
}

function signedUrl(
  { config, storage }: ServiceCtx,
  file: AttachmentRow,
  contentType: string,
  disposition: string,
): Promise<string | undefined> | undefined {
  if (!config.serveDirect) return undefined
  return storage.signedUrl(file.storage_key, {
    contentType,
    contentDisposition: disposition,
    expiresInSeconds: signedSeconds,
  })
}

function lengthOf({ size }: AttachmentRow, range: Range | undefined): Record<string, string> {
  if (!range) return { 'Content-Length': String(size) }
  const { start, end } = range
  return { 'Content-Length': String(end - start + 1), 'Content-Range': `bytes ${start}-${end}/${size}` }
}
