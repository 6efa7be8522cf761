import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, isDomainError, unprocessable } from '@/server/kernel/errors'
import type { Call } from '@/server/kernel/http/call'
import type { SpilledBody } from '@/server/kernel/http/spilled-body'
import { nestingOf } from '@/server/kernel/json-nesting'
import { isJson, maxBodyBytes, readLargeBody, readPacedBody } from '../large-body'
import { occursMoreThan, parseForm } from './form-body'
import type { Input } from './procedure-input'
import type { Endpoint } from './route-table'

/** Returns a path without the prefix `/api/v1`, repeated slashes, and a trailing slash. */
export function normalizePath(pathname: string): string {
  const path = pathname.replace(/\/{2,}/g, '/').replace(/^\/api\/v1/, '')
  return path.length > 1 ? path.replace(/\/$/, '') : path || '/'
}

/**
 * Reads the input of a request except its path: the query for GET and most DELETEs, otherwise the endpoint's fields
 * of the body and query. An invalid body is returned as `bodyError`, so that it can be reported after the
 * permission checks.
 */
export async function readInput(
  ctx: Pick<ServiceCtx, 'config'>,
  call: Call,
  parameters: URLSearchParams,
  endpoint: Endpoint,
): Promise<ReadInput> {
  const { rest } = endpoint.meta
  if (endpoint.method === 'GET') return { input: queryOf(parameters) }
  if (endpoint.method === 'DELETE' && !rest.bodyOfDelete) return { input: queryOf(parameters) }
  const query = queryOf(parameters, rest.bodyOfDelete ? undefined : (rest.query ?? []))
  if (rest.body || Object.keys(endpoint.bodyFields).length === 0) return { input: query }
  let spilled: SpilledBody | undefined
  try {
    const contentType = call.headers.get('content-type') ?? ''
    if (rest.largeBody && isJson(call.headers)) spilled = await readLargeBody(ctx, call)
    const small = rest.largeBody ? readPacedBody : () => call.body(maxBodyBytes)
    const bytes = spilled?.json ?? (await small(call))
    if (bytes.byteLength === 0) return { input: query, spilled }
    const body = await parseBody(bytes, contentType, endpoint)
    return { input: { ...body, ...query }, spilled }
  } catch (error) {
    await spilled?.close()
    if (isDomainError(error)) return { input: query, bodyError: error }
    throw error
  }
}

export interface ReadInput {
  input: Input
  bodyError?: DomainError
  /** The files in a large body, which must be closed. */
  spilled?: SpilledBody | undefined
}

async function parseBody(bytes: Uint8Array, contentType: string, endpoint: Endpoint): Promise<Input> {
  const type = contentType.toLowerCase()
  if (type.includes('json')) return parseJson(bytes, endpoint)
  if (type.startsWith('application/x-www-form-urlencoded') || type.startsWith('multipart/form-data')) {
    return await parseForm(bytes, contentType, endpoint.bodyFields)
  }
  throw unprocessable(type ? '[]: Unsupported Content-Type' : '[]: Empty Content-Type')
}

// Counted before parsing: an object with 90,000 keys takes half a second.
const maxJsonTexts = 10_000
// Far more than bodies need. Whatever follows values through all levels can take only so many.
const maxJsonNesting = 100

/** @throws {DomainError} unprocessable if a JSON text has too many levels of nesting. */
export function requireShallow(text: string): void {
  if (nestingOf(text) > maxJsonNesting)
    throw unprocessable(`[]: the body has more than ${maxJsonNesting} levels of nesting`)
}

// The parser's message is discarded, because it quotes the body, which may contain a secret.
function parseJson(bytes: Uint8Array, { bodyFields, meta }: Endpoint): Input {
  if (occursMoreThan(2 * maxJsonTexts, '"', bytes)) {
    throw unprocessable(`[]: the body has more than ${maxJsonTexts} keys and strings`)
  }
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw unprocessable('[]: the body is not valid JSON')
  }
  requireShallow(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unprocessable('[]: the body is not a JSON object')
  }
  return Object.fromEntries(
    Object.keys(bodyFields).flatMap(name => {
      const field = Object.hasOwn(value, name) ? (value as Input)[name] : undefined
      // Clients with a fixed set of fields send null for unchanged ones.
      const isUnchanged = field === null && !meta.rest.nulls?.includes(name)
      return field === undefined || isUnchanged ? [] : [[name, field]]
    }),
  )
}

function queryOf(parameters: URLSearchParams, only?: readonly string[]): Input {
  const query = new Map<string, string | string[]>()
  for (const [name, value] of parameters) {
    if (only && !only.includes(name)) continue
    const before = query.get(name)
    // Appended in place: copying the array for each repetition would let a long query block the event loop.
    if (Array.isArray(before)) before.push(value)
    else query.set(name, before === undefined ? value : [before, value])
  }
  return Object.fromEntries(query)
}
