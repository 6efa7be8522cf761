import type { ApiCall } from './description'

/** What was filled in for a call. */
export interface CallInput {
  /** By the name of the parameter; what is empty is left out. */
  values: Readonly<Record<string, string>>
  body: string
}

/** The address of the call, from the site's root on. Parts that are still missing keep their name in braces. */
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

/** What came back, as a page can show it. */
export interface Reply {
  status: string
  ok: boolean
  milliseconds: number
  headers: [name: string, value: string][]
  body: string
}

/**
 * Sends the call without the page's session, which the API never looks at.
 * @throws {Error} where no answer comes.
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
    return size === 0 ? '' : `${size.toLocaleString('en-US')} bytes of ${type || 'unnamed type'}`
  }
  const text = await response.text()
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
