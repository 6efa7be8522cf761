import { type DomainError, isDomainError, unprocessable } from '@/server/kernel/errors'
import type { Call } from '@/server/kernel/http/call'
import { occursMoreThan, parseForm } from './form-body'
import type { Endpoint } from './route-table'

/** Far above any JSON a call can need: files have mounts of their own. */
export const maxBodyBytes = 1024 * 1024

/** One spelling for each path: repeated slashes collapsed, trailing ones dropped, the prefix gone. */
export function normalizePath(pathname: string): string {
  const path = pathname.replace(/\/{2,}/g, '/').replace(/^\/api\/v1/, '')
  return path.length > 1 ? path.replace(/\/$/, '') : path || '/'
}

export type Input = Record<string, unknown>

/**
 * Reads what a call sends besides its path: the query, or the fields the endpoint knows, of the body and of the query.
 * A body that cannot be read comes back as an error to tell later.
 */
export async function readInput(
  call: Call,
  parameters: URLSearchParams,
  endpoint: Endpoint,
): Promise<{ input: Input; bodyError?: DomainError }> {
  if (['GET', 'DELETE'].includes(endpoint.method)) return { input: queryOf(parameters) }
  const query = queryOf(parameters, endpoint.meta.rest.query ?? [])
  if (endpoint.meta.rest.body || Object.keys(endpoint.bodyFields).length === 0) {
    return { input: query }
  }
  try {
    const bytes = await call.body(maxBodyBytes)
    if (bytes.byteLength === 0) return { input: query }
    const body = await parseBody(bytes, call.headers.get('content-type') ?? '', endpoint)
    return { input: { ...body, ...query } }
  } catch (error) {
    if (isDomainError(error)) return { input: query, bodyError: error }
    throw error
  }
}

async function parseBody(bytes: Uint8Array, contentType: string, endpoint: Endpoint): Promise<Input> {
  const type = contentType.toLowerCase()
  if (type.includes('json')) return parseJson(bytes, endpoint)
  if (type.startsWith('application/x-www-form-urlencoded') || type.startsWith('multipart/form-data')) {
    return await parseForm(bytes, contentType, endpoint.bodyFields)
  }
  throw unprocessable(type ? '[]: Unsupported Content-Type' : '[]: Empty Content-Type')
}

// Counted before anything is read: an object of 90,000 names takes half a second.
const maxJsonTexts = 10_000

// The decoder's own message quotes the body, which may hold a secret: it goes nowhere.
function parseJson(bytes: Uint8Array, { bodyFields }: Endpoint): Input {
  if (occursMoreThan(2 * maxJsonTexts, '"', bytes)) {
    throw unprocessable(`[]: the body has more than ${maxJsonTexts} names and texts`)
  }
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw unprocessable('[]: the body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unprocessable('[]: the body is not a JSON object')
  }
  return Object.fromEntries(
    Object.keys(bodyFields).flatMap(name => {
      const field = Object.hasOwn(value, name) ? (value as Input)[name] : null
      // Clients with a fixed set of fields send null for those they leave alone.
      return field === null ? [] : [[name, field]]
    }),
  )
}

function queryOf(parameters: URLSearchParams, only?: readonly string[]): Input {
  const query = new Map<string, string | string[]>()
  for (const [name, value] of parameters) {
    if (only && !only.includes(name)) continue
    const before = query.get(name)
    // In place: copying at each repetition would let one long query hold up everybody.
    if (Array.isArray(before)) before.push(value)
    else query.set(name, before === undefined ? value : [before, value])
  }
  return Object.fromEntries(query)
}
