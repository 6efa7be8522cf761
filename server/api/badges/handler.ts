import { createHash } from 'node:crypto'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Answer, type Call, readOnly } from '@/server/kernel/http/call'
import { hasAlready } from '@/server/kernel/http/etag'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { requestContext } from '@/server/services'
import { getBadge } from '@/server/triggers/badge'
import { BadgeInput } from '@/server/triggers/schema'
import { authenticateReader } from '../authenticate-reader'
import type { Mount } from '../mount'
import { explainRefusal, plainAnswer } from '../plain-refusal'
import { badgeSvg } from './badge-svg'

// `/-/` is reserved for the site's own pages.
const form = /^(?!\/(?:-|api|_next)\/)\/([^/]+)\/([^/]+)\/actions\/workflows\/([^/]+)\/badge\.svg$/s

/** Mount of `/{owner}/{repo}/actions/workflows/{file}/badge.svg`: how a workflow went, as a picture. */
export const badgesMount: Mount = {
  name: 'badges',
  match: path => form.test(path),
  createHandler: services =>
    readOnly(async (call, connection) => {
      const [, owner = '', repo = '', file = ''] = form.exec(call.path) ?? []
      const base = requestContext(services, connection)
      try {
        const ctx = await authenticateReader(base, call, { isApi: false })
        return await answer(ctx, call, { owner, repo, workflow_id: file })
      } catch (error) {
        const at = (now: { owner: string; repo: string }): string =>
          `/${encodeURIComponent(now.owner)}/${encodeURIComponent(now.repo)}/actions/workflows/${file}/badge.svg`
        return plainAnswer(explainRefusal(error, { names: { owner, repo }, at, query: call.query }, base))
      }
    }),
}

async function answer(ctx: ServiceCtx, call: Call, path: Record<string, string>): Promise<Answer> {
  const query = new URLSearchParams(call.query)
  const asked = { ...path, branch: query.get('branch') ?? '', event: query.get('event') ?? '' }
  const input = BadgeInput.safeParse(asked).data
  if (!input) throw notFound()
  const badge = await getBadge(ctx, input)
  const body = badgeSvg(badge)
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  const headers = {
    ...securityHeaders,
    'Content-Type': 'image/svg+xml',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    // The next run can end at any time, and a session can get another response.
    'Cache-Control': `${badge.isPrivate ? 'private' : 'public'}, max-age=0, must-revalidate`,
    Vary: 'Authorization, Cookie',
    ETag: etag,
  }
  if (hasAlready(call.headers, etag)) return { status: 304, headers }
  return { status: 200, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }, body }
}
