import { Readable } from 'node:stream'
import { type ExportFormat, exportEvents } from '@/server/audit'
import { EventFilter } from '@/server/audit/schema'
import { authenticateAnyone } from '@/server/auth/authenticate'
import { requireOwnPage } from '@/server/auth/same-origin'
import { isAdmin, requireAdmin } from '@/server/kernel/caller'
import type { AdminCtx, ServiceCtx } from '@/server/kernel/ctx'
import { invalid, notFound } from '@/server/kernel/errors'
import { type Call, readOnly } from '@/server/kernel/http/call'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { requestContext } from '@/server/services'
import type { Mount } from '../mount'
import { explainRefusal, plainAnswer } from '../plain-refusal'

const form = /^\/-\/admin\/events\.(csv|jsonl)$/

const types: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
}

/** Mount of `/-/admin/events.csv` and `/-/admin/events.jsonl`: all events that match, for signed-in administrators. */
export const eventExportsMount: Mount = {
  name: 'event-exports',
  match: path => form.test(path),
  createHandler: services =>
    readOnly(async (call, connection) => {
      const base = requestContext(services, connection)
      try {
        const format = form.exec(call.path)?.[1] as ExportFormat
        const ctx = await authenticateAdmin(base, call)
        const filter = EventFilter.safeParse(Object.fromEntries(new URLSearchParams(call.query)))
        if (!filter.success)
          throw invalid('the filter is invalid; use the same parameters as the page that lists events')
        const headers = {
          ...securityHeaders,
          'Content-Type': types[format],
          'Content-Disposition': contentDisposition('attachment', `events.${format}`),
          'Content-Security-Policy': "default-src 'none'; sandbox",
          'Cache-Control': 'no-store',
        }
        if (call.method === 'HEAD') return { status: 200, headers }
        const text = await exportEvents(ctx, filter.data, format)
        return {
          status: 200,
          headers,
          body: Readable.from(text, { objectMode: false, highWaterMark: 64 * 1024 }),
        }
      } catch (error) {
        return plainAnswer(explainRefusal(error, undefined, base))
      }
    }),
}

/** Requires a session and a page of this site, because an export is recorded. Everyone else gets 404. */
async function authenticateAdmin(base: ServiceCtx, { headers }: Call): Promise<AdminCtx> {
  const caller = await authenticateAnyone(base, { authorization: null, cookie: headers.get('cookie') })
  if (caller.kind !== 'user' || !isAdmin(caller)) throw notFound()
  requireOwnPage(headers, base.config.baseUrl)
  return { ...base, caller: requireAdmin(caller) }
}
