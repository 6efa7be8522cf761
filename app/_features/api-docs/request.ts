import type { ApiCall } from './description'

/** Form values of a request. */
export interface CallInput {
  /** Parameter values by name. Empty values are not sent. */
  values: Readonly<Record<string, string>>
  body: string
}

/**
 * Returns the request's URL, relative to the site's root. Path parameters without a value stay as
 * placeholders, such as `{owner}`.
 */
export function addressOf(call: ApiCall, base: string, { values }: CallInput): string {
  const path = call.path.replace(/\{(\w+)\}/g, (name, key: string) => {
    const value = values[key]
    return value ? encodeURIComponent(value) : name
  })
  const query = new URLSearchParams()
  for (const parameter of call.parameters) {
    const value = values[parameter.name]
    if (parameter.in === 'query' && value) query.append(parameter.name, value)
  }
  return `${base}${path}${query.size > 0 ? `?${query}` : ''}`
}

/** Response in the form in which the page shows it. */
export interface Reply {
  status: string
  ok: boolean
  milliseconds: number
  headers: [name: string, value: string][]
  body: string
}

/**
 * Sends the request without cookies, because the API ignores sessions.
 * @throws {Error} if there is no response, for example because the server cannot be reached.
 */
export async function send(call: ApiCall, address: string, input: CallInput, token: string): Promise<Reply> {
  const began = performance.now()
  const response = await fetch(address, {
    method: call.method,
    credentials: 'omit',
    headers: {
      ...(token ? { Authorization: `token ${token}` } : {}),
      ...(call.body ? { 'Content-Type': call.body.type } : {}),
    },
    ...(call.body ? { body: input.body } : {}),
  })
  const body = await readable(response)
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    ok: response.ok,
    milliseconds: Math.round(performance.now() - began),
    headers: [...response.headers].filter(([name]) => shownHeaders.has(name)),
    body,
  }
}

const shownHeaders = new Set([
  'content-type',
  'link',
  'location',
  'retry-after',
  'x-total-count',
  'x-request-id',
])

async function readable(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? ''
  if (!/json|text|xml/.test(type)) {
    const { size } = await response.blob()
    return size === 0 ? '' : `${size.toLocaleString('en-US')} bytes of ${type || 'unknown type'}`
  }
  const text = await response.text()
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
