import type { Readable } from 'node:stream'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import type { Answer, Call } from '@/server/kernel/http/call'
import { hasAlready, wantsAnother } from '@/server/kernel/http/etag'
import { type Range, rangeOf } from '@/server/kernel/http/range'

/** File in the storage, with the headers and options for sending it. */
export interface StoredFile {
  key: string
  size: number
  sha256: Buffer
  etag: string
  contentType: string
  disposition: string
  /** Headers of every response, even those without the file. */
  common: Record<string, string>
  /** Redirects GET to a signed URL of the storage, valid for `seconds`, if the site is configured so. */
  direct?: { status: 302 | 303; seconds: number }
  /** Fields of the log entry that is written if the storage does not have the file. */
  logged: Record<string, unknown>
  /**
   * Called before the response if a client starts a download or already has the file, but not if it continues
   * one.
   */
  onStart?: () => Promise<void>
}

type SendCtx = Pick<ServiceCtx, 'config' | 'storage' | 'log' | 'requestId'>

/** Responds with the file, the requested range, or a redirect to a signed URL. */
export async function sendStored(ctx: SendCtx, call: Call, file: StoredFile): Promise<Answer> {
  const { common, etag, size, contentType, disposition } = file
  const digest = file.sha256.toString('base64')
  const headers = {
    ...common,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Content-Type': contentType,
    'Content-Disposition': disposition,
    'Repr-Digest': `sha-256=:${digest}:`,
    Digest: `sha-256=${digest}`,
  }
  const isHead = call.method === 'HEAD'
  const direct = isHead ? undefined : await signedUrl(ctx, file)
  // The storage evaluates conditions itself, against its own ETags.
  if (!direct && wantsAnother(call.headers, etag)) {
    return { status: 412, headers: { ...common, ETag: etag }, body: '' }
  }
  const hasIt = hasAlready(call.headers, etag)
  const range = hasIt || isHead ? undefined : rangeOf(call.headers, size, etag)
  if (range === 'none') {
    return { status: 416, headers: { ...common, 'Content-Range': `bytes */${size}` }, body: '' }
  }
  if (!isHead && (!range || range.start === 0)) await file.onStart?.()
  if (hasIt) return { status: 304, headers }
  if (direct) return { status: direct.status, headers: { ...common, Location: direct.url } }
  const status = range ? 206 : 200
  const sent = { ...headers, ...lengthOf(size, range) }
  if (isHead) return { status, headers: sent }
  return { status, headers: sent, body: await openFile(ctx, file, range) }
}

async function openFile(
  { storage, log, requestId }: SendCtx,
  { key, logged }: StoredFile,
  range: Range | undefined,
): Promise<Readable> {
  try {
    return await storage.get(key, range)
  } catch (error) {
    if (isDomainError(error) && error.kind === 'notFound')
      log.error({ requestId, ...logged, object: key }, 'a file is missing from the storage')
    throw error
  }
}

async function signedUrl(
  { config, storage }: SendCtx,
  { key, contentType, disposition: contentDisposition, direct }: StoredFile,
): Promise<{ status: number; url: string } | undefined> {
  if (!config.serveDirect || !direct) return undefined
  const { status, seconds: expiresInSeconds } = direct
  const url = await storage.signedUrl(key, { contentType, contentDisposition, expiresInSeconds })
  return url === undefined ? undefined : { status, url }
}

function lengthOf(size: number, range: Range | undefined): Record<string, string> {
  if (!range) return { 'Content-Length': String(size) }
  const { start, end } = range
  return { 'Content-Length': String(end - start + 1), 'Content-Range': `bytes ${start}-${end}/${size}` }
}
