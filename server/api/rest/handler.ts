import { authenticate } from '@/server/auth/authenticate'
import type { Answer, Call, Connection } from '@/server/kernel/http/call'
import { queryToken } from '@/server/kernel/http/query-token'
import { uploadOf } from '@/server/kernel/http/upload'
import { requestContext, type Services } from '@/server/services'
import { mayAct, requireScopes } from '@/server/trpc/admission'
import { isBelow, type Mount } from '../mount'
import { dispatch } from './dispatch'
import type { Exchange } from './exchange'
import { normalizePath, readInput } from './gate'
import { requirePathObject } from './path-object'
import { errorAnswer, noEndpointAnswer, presentError } from './presenter'
import { type Endpoint, escapeTail, findEndpoint, takesStream } from './route-table'

/** Mount of the REST API at `/api/v1`, which serves every procedure with REST metadata. */
export const restMount: Mount = {
  name: 'rest',
  match: path => isBelow(path, '/api/v1'),
  pacesBody: (path, method) => takesStream(method, normalizePath(path)),
  createHandler: services => {
    const site = { services, constants: new Map() }
    return (call, connection) => answer(site, call, connection)
  },
}

interface RestSite {
  services: Services
  /** Responses that are the same for every caller until the process ends. */
  constants: Map<Endpoint, Answer>
}

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
const nothing = { input: {}, bodyError: undefined }

async function handle(
  { services, constants }: RestSite,
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
  const rejectedEarly = !mayAct(caller, meta) && !meta.rest.anonymous
  if (rejectedEarly) await requirePathObject({ ...base, caller }, endpoint.path, exchange.path)
  const { input, bodyError } = rejectedEarly ? nothing : await readInput(call, query, endpoint)
  exchange.input = input
  const userAgent = call.headers.get('user-agent') ?? ''
  const answer = await dispatch({
    ...base,
    caller,
    bodyError,
    upload: meta.rest.body ? uploadOf(call) : undefined,
    out: { cookies: [] },
    userAgent,
    exchange,
  })
  if (meta.rest.constant && answer.status === 200) constants.set(endpoint, answer)
  return warned(answer, query)
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
