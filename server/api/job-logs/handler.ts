import { getJobLog, type JobLog, openLog } from '@/server/actions'
import { authenticate, authenticateAnyone } from '@/server/kernel/auth/authenticate'
import { requireScope } from '@/server/kernel/auth/require-scope'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Answer, type Call, readOnly } from '@/server/kernel/http/call'
import { contentDisposition } from '@/server/kernel/http/content-disposition'
import { queryToken } from '@/server/kernel/http/query-token'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers'
import { pathText } from '@/server/kernel/wire'
import { requestContext } from '@/server/services'
import type { Mount } from '../mount'
import { explainRefusal, plainAnswer } from '../plain-refusal'
import { errorAnswer } from '../rest/presenter'

interface Target {
  isApi: boolean
  of: { owner: string; repo: string }
  jobId: number
  /** Returns the same path with other names, for redirects. */
  in(names: { owner: string; repo: string }): string
}

// `/-/` is reserved for our own pages.
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

// An invalid name becomes the empty name, which is never found.
const decoded = (text: string): string => pathText.safeParse(text).data ?? ''

/** The log of a job as a text, on the site and in the API. */
export const jobLogsMount: Mount = {
  name: 'job-logs',
  match: path => parsePath(path) !== undefined,
  createHandler: services =>
    readOnly(async (call, connection) => {
      const target = parsePath(call.path)
      if (!target) throw notFound()
      const base = requestContext(services, connection)
      try {
        const ctx = await authenticated(base, call, target)
        return answer(ctx, await getJobLog(ctx, { ...target.of, job_id: target.jobId }))
      } catch (error) {
        const refusal = explainRefusal(error, { names: target.of, at: target.in, query: call.query }, base)
        const { status, message, headers } = refusal
        return target.isApi
          ? errorAnswer(status, message, base.config.baseUrl, headers)
          : plainAnswer(refusal)
      }
    }),
}

/** Only the site accepts the session cookie, not the API. */
async function authenticated(
  base: ServiceCtx,
  { headers, query }: Call,
  { isApi }: Target,
): Promise<ServiceCtx> {
  const authorization = headers.get('authorization')
  const parameters = new URLSearchParams(query)
  const caller = await (isApi
    ? authenticate(base, {
        authorization,
        queryToken: queryToken(parameters),
        sudo: headers.get('sudo') ?? parameters.get('sudo'),
      })
    : authenticateAnyone(base, { authorization, cookie: headers.get('cookie') }))
  requireScope(caller, { level: 'read', categories: ['repository'] })
  return { ...base, caller }
}

function answer(ctx: ServiceCtx, { run, job, log }: JobLog): Answer {
  const workflow = run.workflow_path.replace(/^.*\//, '').replace(/\.ya?ml$/, '')
  return {
    status: 200,
    headers: {
      ...securityHeaders,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(log.log_bytes),
      'Content-Disposition': contentDisposition('attachment', `${workflow}-${job.name}-${job.id}.log`),
      'Cache-Control': privateCaching,
    },
    body: openLog(ctx, log),
  }
}
