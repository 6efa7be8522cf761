import { getJobLogOrReason, type JobLog, openLog, type UnstartedJob } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Answer, readOnly } from '@/server/kernel/http/call'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { pathText } from '@/server/kernel/wire'
import { requestContext } from '@/server/services'
import { authenticateReader } from '../authenticate-reader'
import type { Mount } from '../mount'
import { explainRefusal, refusalAnswer } from '../plain-refusal'

interface Target {
  isApi: boolean
  of: { owner: string; repo: string }
  jobId: number
  /** Returns the same path under another owner and repository, for redirects. */
  in(names: { owner: string; repo: string }): string
}

// `/-/` is reserved for the site's own pages.
const form =
  /^(?:(\/api\/v1\/repos)|(?!\/(?:-|api|_next)\/))\/([^/]+)\/([^/]+)(\/actions\/jobs\/(\d{1,15})\/logs)\/?$/s

function parsePath(path: string): Target | undefined {
  const [, api = '', owner = '', repo = '', rest = '', id] = form.exec(path) ?? []
  if (!id) return undefined
  return {
    isApi: api !== '',
    of: { owner: decoded(owner), repo: decoded(repo) },
    jobId: Number(id),
    in: names => `${api}/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}${rest}`,
  }
}

// An invalid name becomes the empty name, which no repository has.
const decoded = (text: string): string => pathText.safeParse(text).data ?? ''

/** Serves the log of a job as text, on the site and in the API. */
export const jobLogsMount: Mount = {
  name: 'job-logs',
  match: path => parsePath(path) !== undefined,
  createHandler: services =>
    readOnly(async (call, connection) => {
      const target = parsePath(call.path)
      if (!target) throw notFound()
      const base = requestContext(services, connection)
      try {
        const ctx = await authenticateReader(base, call, target)
        return answer(ctx, await getJobLogOrReason(ctx, { ...target.of, job_id: target.jobId }))
      } catch (error) {
        const named = { names: target.of, at: target.in, query: call.query }
        return refusalAnswer(explainRefusal(error, named, base), target, base.config)
      }
    }),
}

function answer(ctx: ServiceCtx, found: JobLog | UnstartedJob): Answer {
  const { run, job } = found
  const workflow = run.workflow_path.replace(/^.*\//, '').replace(/\.ya?ml$/, '')
  const time = (job.completed_at ?? job.updated_at).toISOString()
  const body = 'log' in found ? openLog(ctx, found.log) : Buffer.from(`${time} ${found.text}\n`)
  const length = 'log' in found ? found.log.log_bytes : Buffer.byteLength(`${time} ${found.text}\n`)
  return {
    status: 200,
    headers: {
      ...securityHeaders,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(length),
      'Content-Disposition': contentDisposition('attachment', `${workflow}-${job.name}-${job.id}.log`),
      'Cache-Control': privateCaching,
    },
    body,
  }
}
