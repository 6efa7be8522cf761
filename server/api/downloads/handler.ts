import { createHash } from 'node:crypto'
import { authenticateAnyone } from '@/server/kernel/auth/authenticate'
import { requireScope } from '@/server/kernel/auth/require-scope'
import { isAnonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError, notFound } from '@/server/kernel/errors'
import { type Answer, type Call, type Connection, readOnly } from '@/server/kernel/http/call'
import { hasAlready } from '@/server/kernel/http/etag'
import { explainError } from '@/server/kernel/http/explain'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers'
import { findDownload } from '@/server/releases'
import { requestContext, type Services } from '@/server/services'
import type { Mount } from '../mount'
import { type DownloadPath, parseDownloadPath } from './download-path'
import { sendFile } from './send-file'

/** The files of releases, by the name of their tag and their own, or by an id that stays. */
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
  const base = requestContext(services, connection)
  const { headers } = call
  const caller = await authenticateAnyone(base, {
    authorization: headers.get('authorization'),
    cookie: headers.get('cookie'),
  })
  requireScope(caller, { level: 'read', categories: ['repository'] })
  const ctx = { ...base, caller }
  const found = await findDownload(ctx, target)
  const common = commonHeaders(ctx)
  return 'file' in found ? await sendFile(ctx, call, found.file, common) : sendText(call, found.text, common)
}

// What nobody had to sign in for may be kept by caches between, which ask again each time.
const commonHeaders = ({ caller }: ServiceCtx): Record<string, string> => ({
  ...securityHeaders,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': isAnonymous(caller) ? privateCaching.replace('private', 'public') : privateCaching,
  // A browser with a session is answered otherwise.
  Vary: 'Authorization, Cookie',
})

function sendText(call: Call, text: string, common: Record<string, string>): Answer {
  const ETag = `"${createHash('sha256').update(text).digest('hex')}"`
  const headers = { ...common, ETag, 'Content-Type': 'text/plain; charset=utf-8' }
  return hasAlready(call.headers, ETag) ? { status: 304, headers } : { status: 200, headers, body: text }
}

function refuse(
  error: unknown,
  { query }: Call,
  path: DownloadPath,
  around: Pick<Services, 'log'> & { requestId: string },
): Answer {
  const { of } = path.target
  if (isDomainError(error) && error.movedTo && error.field && of) {
    const location = path.in({ ...of, [error.field]: error.movedTo.name })
    const Location = query ? `${location}?${query}` : location
    const status = error.movedTo.permanent ? 301 : 307
    return { status, headers: { ...plainText, Location }, body: `moved to ${location}\n` }
  }
  const { kind, status, message, retryAfter } = explainError(error, around)
  const asksAgain: Record<string, string> =
    kind === 'unauthenticated' ? { 'WWW-Authenticate': 'Basic realm="Guildhall"' } : {}
  return { status, headers: { ...plainText, ...retryAfter, ...asksAgain }, body: `${message}\n` }
}

const plainText = {
  ...securityHeaders,
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': privateCaching,
}
