import { findDiffText } from '@/server/code'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { streamOutput } from '@/server/kernel/git/stream-output'
import { type Answer, type Call, readOnly } from '@/server/kernel/http/call'
import { hasAlready } from '@/server/kernel/http/etag'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { requestContext } from '@/server/services'
import { authenticateReader } from '../authenticate-reader'
import type { Mount } from '../mount'
import { explainRefusal, refusalAnswer } from '../plain-refusal'
import { createStreamLimit, type StreamLimit } from '../stream-limit'
import { type DiffPath, parseDiffPath } from './diff-path'

/** Mount of commits and comparisons as text that `git apply` and `git am` read, on the site and in the API. */
export const diffsMount: Mount = {
  name: 'diffs',
  match: (path, _, query) => parseDiffPath(path, query) !== undefined,
  createHandler: services => {
    const limit = createStreamLimit('diffs', 'computing')
    return readOnly(async (call, connection) => {
      const path = parseDiffPath(call.path, call.query)
      if (!path) throw notFound()
      try {
        const ctx = await authenticateReader(requestContext(services, connection), call, path)
        return await answer(ctx, call, path, limit)
      } catch (error) {
        const { owner, repo, of: at } = path
        const { requestId } = connection
        const named = { names: { owner, repo }, at, query: call.query }
        const refusal = explainRefusal(error, named, { log: services.log, requestId })
        return refusalAnswer(refusal, path, services.config)
      }
    })
  },
}

const timeoutMs = 60_000

async function answer(ctx: ServiceCtx, call: Call, path: DiffPath, limit: StreamLimit): Promise<Answer> {
  if (!path.target) throw notFound()
  const { git, args, id, isPrivate } = await findDiffText(ctx, path, path.target, path.form)
  const headers = {
    ...securityHeaders,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': `${isPrivate ? 'private' : 'public'}, max-age=0, must-revalidate`,
    Vary: 'Authorization, Cookie',
    // Weak, because another version of Git may write another text.
    ETag: `W/"${id}"`,
  }
  if (hasAlready(call.headers, headers.ETag)) return { status: 304, headers }
  if (call.method === 'HEAD') return { status: 200, headers }
  return await limit(ctx, { status: 200, headers }, () => streamOutput(git, args, timeoutMs))
}
