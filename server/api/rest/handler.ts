import { createHash } from 'node:crypto'
import { authenticate } from '@/server/auth/authenticate'
import { createKept, type Kept, type Made } from '@/server/events'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Answer, Call, Connection } from '@/server/kernel/http/call'
import { hasAlready } from '@/server/kernel/http/etag'
import { queryToken } from '@/server/kernel/http/query-token'
import { uploadOf } from '@/server/kernel/http/upload'
import { type NotedReads, noteReads } from '@/server/repos'
import { requestContext, type Services } from '@/server/services'
import { mayAct, requireScopes } from '@/server/trpc/admission'
import { isJson, withLargeBody } from '../large-body'
import { isBelow, type Mount } from '../mount'
import { dispatch } from './dispatch'
import type { Exchange } from './exchange'
import { normalizePath, type ReadInput, readInput } from './gate'
import { requirePathObject } from './path-object'
import { errorAnswer, noEndpointAnswer, presentError } from './presenter'
import { type Endpoint, escapeTail, findEndpoint, takesStream } from './route-table'

/** Mount of the REST API at `/api/v1`, which serves every procedure with REST metadata. */
export const restMount: Mount = {
  name: 'rest',
  match: path => isBelow(path, '/api/v1'),
  pacesBody: (path, method) => takesStream(method, normalizePath(path)),
  createHandler: services => {
    const kept = createKept<Answer>(services.db, maxKeptBytes)
    const site = { services, constants: new Map(), kept }
    return (call, connection) => answer(site, call, connection)
  },
}

interface RestSite {
  services: Services
  /** Responses that are the same for every caller until the process ends. */
  constants: Map<Endpoint, Answer>
  /** Responses that are the same for all anonymous callers until something changes. */
  kept: Kept<Answer>
}

const maxKeptBytes = 4 * 1024 * 1024
const maxKeptAnswerBytes = 256 * 1024
const maxKeptUrl = 300
// Its URL, headers, and what is known about it, in bytes.
const maxAroundAnswer = 4_000

async function answer(site: RestSite, call: Call, connection: Connection): Promise<Answer> {
  const { services } = site
  const { baseUrl } = services.config
  const method = call.method === 'HEAD' ? 'GET' : call.method
  const path = escapeTail(normalizePath(call.path))
  const endpoint = findEndpoint(method, path)
  if (!endpoint) return noEndpointAnswer(call, baseUrl)
  if ('allowed' in endpoint) return refuseMethod(call.method, endpoint.allowed, baseUrl)
  const exchange: Exchange = { endpoint, path, query: call.query, input: {} }
  try {
    return await handle(site, call, exchange, connection)
  } catch (error) {
    const { requestId } = connection
    return presentError(error, { baseUrl, log: services.log, requestId }, exchange)
  }
}

const noQuery = new URLSearchParams()

async function handle(
  { services, constants, kept }: RestSite,
  call: Call,
  exchange: Exchange,
  connection: Connection,
): Promise<Answer> {
  const query = call.query ? new URLSearchParams(call.query) : noQuery
  const base = requestContext(services, connection)
  const caller = await authenticate(base, {
    authorization: call.headers.get('authorization'),
    queryToken: queryToken(query),
    sudo: call.headers.get('sudo') ?? query.get('sudo'),
  })
  const { endpoint } = exchange
  const { meta } = endpoint
  // Checked before the body is read, so that unauthorized callers cannot make us read one.
  requireScopes({ caller }, meta)
  const constant = constants.get(endpoint)
  if (constant) return warned(constant, query)
  const ctx = { ...base, caller }
  if (!mayAct(caller, meta) && !meta.rest.anonymous) {
    await requirePathObject(ctx, endpoint.path, exchange.path)
    return warned(await run(ctx, call, exchange, nothing), query)
  }
  const readAndRun = async (runCtx: ServiceCtx): Promise<Answer> => {
    const read = await readInput(runCtx, call, query, endpoint)
    const answer = await run(runCtx, call, exchange, read).finally(() => read.spilled?.close())
    return meta.rest.etag ? withEtag(answer) : answer
  }
  const { shows } = meta.rest
  const key = `${exchange.path}?${call.query}`
  if (shows && caller === anonymous && key.length <= maxKeptUrl) {
    const make = async (): Promise<Made<Answer>> => {
      const reads = noteReads(ctx)
      return await madeFrom(await readAndRun(reads.ctx), reads)
    }
    // Each client reads a repository in its own turn.
    const shared = kept.get(key, shows, make, shows === 'repositories')
    if (shared) return unlessKnown(await shared, call)
  }
  const answer = await (meta.rest.largeBody && isJson(call.headers)
    ? withLargeBody(ctx, call, () => readAndRun(ctx))
    : readAndRun(ctx))
  if (meta.rest.constant && answer.status === 200) constants.set(endpoint, answer)
  return warned(unlessKnown(answer, call), query)
}

const nothing: ReadInput = { input: {} }

function run(
  ctx: ServiceCtx,
  call: Call,
  exchange: Exchange,
  { input, bodyError, spilled }: ReadInput,
): Promise<Answer> {
  exchange.input = input
  return dispatch({
    ...ctx,
    bodyError,
    spilled: spilled?.texts,
    upload: exchange.endpoint.meta.rest.body ? uploadOf(call) : undefined,
    out: { cookies: [] },
    userAgent: call.headers.get('user-agent') ?? '',
    exchange,
  })
}

function withEtag(answer: Answer): Answer {
  if (answer.status !== 200 || typeof answer.body !== 'string') return answer
  const ETag = `"${createHash('sha1').update(answer.body).digest('hex')}"`
  return { ...answer, headers: { ...answer.headers, ETag } }
}

function unlessKnown(answer: Answer, call: Call): Answer {
  const { status, headers } = answer
  const isKnown = status === 200 && typeof headers.ETag === 'string' && hasAlready(call.headers, headers.ETag)
  return isKnown ? { status: 304, headers } : answer
}

async function madeFrom(answer: Answer, reads: NotedReads): Promise<Made<Answer>> {
  const { status, body } = answer
  const bytes = typeof body === 'string' ? 2 * body.length + maxAroundAnswer : 0
  const isShared = status === 200 && bytes > 0 && bytes <= maxKeptAnswerBytes && reads.isComplete()
  return { value: answer, bytes, isShared, repositories: await reads.repositories() }
}

function warned(answer: Answer, query: URLSearchParams): Answer {
  if (!queryToken(query)) return answer
  return { ...answer, headers: { ...answer.headers, 'X-Gitea-Warning': queryTokenWarning } }
}

const queryTokenWarning =
  'Tokens in the query string are deprecated; send the token in the Authorization header.'

function refuseMethod(method: string, allowed: string[], baseUrl: string): Answer {
  const list = allowed.join(', ')
  return errorAnswer(405, `The method ${method} is not allowed here; use ${list}.`, baseUrl, { Allow: list })
}
