import { createHash } from 'node:crypto'
import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Answer, type Call, type Connection, readOnly } from '@/server/kernel/http/call'
import { hasAlready, wantsAnother } from '@/server/kernel/http/etag'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { findDownload } from '@/server/releases'
import { requestContext, type Services } from '@/server/services'
import { authenticateReader } from '../authenticate-reader'
import type { Mount } from '../mount'
import { explainRefusal, plainAnswer } from '../plain-refusal'
import { type DownloadPath, parseDownloadPath } from './download-path'
import { sendFile } from './send-file'

/** Mount of release files, by tag and name or by a permanent ID. */
export const downloadsMount: Mount = {
  name: 'downloads',
  match: path => parseDownloadPath(path) !== undefined,
  createHandler: services =>
    readOnly(async (call, connection) => {
      const path = parseDownloadPath(call.path)
      if (!path) throw notFound()
      try {
        return await answer(services, call, connection, path)
      } catch (error) {
        return refuse(error, call, path, { ...services, requestId: connection.requestId })
      }
    }),
}

async function answer(
  services: Services,
  call: Call,
  connection: Connection,
  { target }: DownloadPath,
): Promise<Answer> {
  const ctx = await authenticateReader(requestContext(services, connection), call, { isApi: false })
  const found = await findDownload(ctx, target)
  const common = commonHeaders(ctx)
  return 'file' in found ? await sendFile(ctx, call, found.file, common) : sendText(call, found.text, common)
}

// Shared caches may store what anonymous callers get, but must revalidate it each time.
const commonHeaders = ({ caller }: ServiceCtx): Record<string, string> => ({
  ...securityHeaders,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': isAnonymous(caller) ? privateCaching.replace('private', 'public') : privateCaching,
  // A session can get another response.
  Vary: 'Authorization, Cookie',
})

function sendText(call: Call, text: string, common: Record<string, string>): Answer {
  const ETag = `"${createHash('sha256').update(text).digest('hex')}"`
  const headers = { ...common, ETag, 'Content-Type': 'text/plain; charset=utf-8' }
  if (wantsAnother(call.headers, ETag)) return { status: 412, headers, body: '' }
  return hasAlready(call.headers, ETag) ? { status: 304, headers } : { status: 200, headers, body: text }
}

function refuse(
  error: unknown,
  { query }: Call,
  { target: { of: names }, in: at }: DownloadPath,
  around: Pick<Services, 'log'> & { requestId: string },
): Answer {
  return plainAnswer(explainRefusal(error, names && { names, at, query }, around))
}
