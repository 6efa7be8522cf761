import type { Person } from './people'
import type { Site } from './site'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed body if it is JSON, otherwise its text; undefined if it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any
}

export interface CallOptions {
  as?: Person | { token: string } | { basic: [string, string] }
  body?: unknown
  /** A body that is sent unchanged, without setting a content type. */
  raw?: BodyInit
  headers?: Record<string, string>
}

/** Sends a request to an API path below `/api/v1` and returns the response. Does not follow redirects. */
export async function call(
  site: Site,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const headers = new Headers(options.headers)
  const authorization = authorizationOf(options.as)
  if (authorization) headers.set('authorization', authorization)
  if (options.body !== undefined) headers.set('content-type', 'application/json')
  const response = await fetch(`${site.url}/api/v1${path}`, {
    method,
    headers,
    body: options.body === undefined ? options.raw : JSON.stringify(options.body),
    redirect: 'manual',
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text ? parse(text) : undefined }
}

function authorizationOf(as: CallOptions['as']): string | undefined {
  if (!as) return undefined
  if ('basic' in as) return `Basic ${Buffer.from(as.basic.join(':')).toString('base64')}`
  return `token ${as.token}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
