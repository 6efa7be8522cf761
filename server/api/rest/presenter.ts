import type { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { type DomainError, isDomainError } from '@/server/kernel/errors'
import type { Answer, Call } from '@/server/kernel/http/call'
import { causeOf, explainError } from '@/server/kernel/http/explain'
import { linkHeader, nextLinkHeader } from '@/server/kernel/http/link-header'
import { withoutToken } from '@/server/kernel/http/query-token'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import type { Logger } from '@/server/kernel/log'
import type { CursorPage, Page } from '@/server/kernel/pagination'
import type { RestOptions } from '@/server/trpc/rest'
import type { Exchange } from './exchange'
import { validationMessage } from './validation-message'

const commonHeaders = { ...securityHeaders, 'Cache-Control': privateCaching }
const jsonHeaders = { ...commonHeaders, 'Content-Type': 'application/json;charset=utf-8' }

/**
 * Returns the status and headers of a success. Of a page, the items become the body and the rest becomes
 * headers.
 */
export function presentSuccess(
  exchange: Exchange,
  data: unknown,
  baseUrl: string,
): { status: number; headers: Record<string, string> } {
  const { rest } = exchange.endpoint.meta
  if (data === null && rest.statusOfNull) return { status: rest.statusOfNull, headers: {} }
  if (rest.statusWith && Object(data)[rest.statusWith.key] !== undefined) {
    return { status: rest.statusWith.status, headers: {} }
  }
  if (rest.totalIn) return { status: rest.status, headers: totalHeaders(Object(data)[rest.totalIn]) }
  if (!rest.page) return { status: rest.status, headers: {} }
  const page = data as Page<unknown> | CursorPage<unknown>
  const body = bodyOf(page.items, rest)
  Object.defineProperty(page, 'toJSON', { value: () => body })
  if ('next' in page) {
    const next = nextLinkHeader(addressOf(exchange, baseUrl), page.next)
    const exposed = { Link: next ?? '', 'Access-Control-Expose-Headers': 'Link' }
    return { status: rest.status, headers: next ? exposed : {} }
  }
  const link = rest.page === 'links' ? linkHeader(addressOf(exchange, baseUrl), page) : undefined
  return {
    status: rest.status,
    headers: {
      ...totalHeaders(page.total),
      ...(link ? { Link: link, 'Access-Control-Expose-Headers': 'Link, X-Total-Count' } : {}),
      ...(rest.pageNumbers ? numberHeaders(page) : {}),
    },
  }
}

function bodyOf(items: unknown, { envelope, itemsIn }: RestOptions): unknown {
  if (envelope) return { ok: true, data: items }
  return itemsIn ? { [itemsIn]: items } : items
}

const totalHeaders = (total: number): Record<string, string> => ({
  'X-Total-Count': String(total),
  'Access-Control-Expose-Headers': 'X-Total-Count',
})

function numberHeaders({ page, limit, total }: Page<unknown>): Record<string, string> {
  const pages = Math.ceil(total / limit)
  return {
    'X-Page': String(page),
    'X-PerPage': String(limit),
    'X-Total': String(total),
    'X-PageCount': String(pages),
    'X-HasMore': String(page < pages),
  }
}

// The requested path and query at the configured base URL.
const addressOf = ({ path, query }: Exchange, baseUrl: string): string =>
  `${baseUrl}/api/v1${path}${query ? `?${query}` : ''}`

export function successAnswer(
  status: number,
  headers: Record<string, string>,
  body: string | undefined,
): Answer {
  if (status === 204) return { status, headers: { ...commonHeaders, ...headers } }
  return { status, headers: { ...jsonHeaders, ...headers }, body: body ?? 'null' }
}

/** Formats an error: `message`, `url` of the documentation, and more fields with details, if there are any. */
export function errorAnswer(
  status: number,
  message: string,
  baseUrl: string,
  headers: Record<string, string> = {},
  details: { errors?: readonly string[]; invalidTopics?: readonly string[] } = {},
): Answer {
  const body = JSON.stringify({ message, ...details, url: `${baseUrl}/api/docs` })
  return { status, headers: { ...jsonHeaders, ...headers }, body }
}

/**
 * Responds with 404 to a path without an endpoint, in other words than for a missing object and alike for
 * every caller.
 */
export function noEndpointAnswer({ method, path }: Pick<Call, 'method' | 'path'>, baseUrl: string): Answer {
  return errorAnswer(404, `this server has no endpoint ${method} ${path}`, baseUrl)
}

interface ErrorSurroundings {
  baseUrl: string
  log: Logger
  requestId: string
}

/**
 * Formats a failure as the JSON API does. With an exchange, it also follows the endpoint: redirects, 404, and
 * `ok`.
 */
export function presentError(error: unknown, around: ErrorSurroundings, exchange?: Exchange): Answer {
  const cause = causeOf(error)
  if (exchange && isDomainError(cause) && cause.movedTo) return presentMoved(cause, exchange, around.baseUrl)
  if (exchange && isBadInput(error) && cause instanceof ZodError) {
    return presentBadInput(cause, exchange, around.baseUrl)
  }
  const { kind, status, message, retryAfter, known } = explainError(error, around)
  const answer = errorAnswer(status, message, around.baseUrl, retryAfter, known && detailsOf(known))
  // An endpoint whose success has `ok` has it in failures, too.
  if (kind !== 'internal' || !exchange?.endpoint.meta.rest.envelope) return answer
  return { ...answer, body: JSON.stringify({ ok: false, error: message }) }
}

function detailsOf({ field, reason }: DomainError): Parameters<typeof errorAnswer>[4] {
  if (reason?.code === 'notAccepted') return { errors: [`${field}: ${reason.problem}`] }
  return reason?.code === 'topicsInvalid' ? { invalidTopics: reason.names } : {}
}

// The same request under the current names. It is relative, so that the client stays on the host it used.
function presentMoved({ field, movedTo }: DomainError, exchange: Exchange, baseUrl: string): Answer {
  const { endpoint, path, query } = exchange
  const names = endpoint.path.split('/')
  const values = path.split('/')
  values[names.indexOf(`{${field}}`)] = encodeURIComponent(movedTo?.name ?? '')
  if (movedTo?.repo) values[names.indexOf('{repo}')] = encodeURIComponent(movedTo.repo)
  const kept = withoutToken(query)
  const location = `/api/v1${values.join('/')}${kept ? `?${kept}` : ''}`
  // After a 301, clients repeat a write as a GET and mistake its response for success.
  const permanent = exchange.endpoint.method === 'GET' ? 301 : 308
  return errorAnswer(movedTo?.permanent ? permanent : 307, `moved to ${location}`, baseUrl, {
    Location: location,
  })
}

// An invalid name or ID in the path cannot exist and is not found; other invalid inputs are in the body or
// query.
function presentBadInput(error: ZodError, exchange: Exchange, baseUrl: string): Answer {
  const inPath = error.issues.some(issue => exchange.endpoint.pathFields.has(String(issue.path[0])))
  if (inPath) return errorAnswer(404, 'not found', baseUrl)
  const [issue] = error.issues
  return errorAnswer(422, issue ? validationMessage(issue, exchange.input) : '[]: invalid', baseUrl)
}

// Excludes results that violate the output schema, which are internal errors.
const isBadInput = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TRPCError' && (error as TRPCError).code === 'BAD_REQUEST'
