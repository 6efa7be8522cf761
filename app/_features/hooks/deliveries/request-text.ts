import { shellWord } from '@/app/_lib/format'
import { visibleText } from '@/app/_lib/visible-text'

/** A request that this site sends. */
export interface ShownRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  payload: string
}

/** A longer body, in characters, might exceed the length limit of a shell command. */
const maxInline = 100_000
/** Headers that curl sets itself, and those that are never shown. */
const leftOut = new Set(['authorization', 'connection', 'content-length', 'host', 'transfer-encoding'])

/**
 * Returns a curl command that sends the same request with its signatures. Only the Authorization header is
 * missing.
 */
export function curlOf({ method, url, headers, payload }: ShownRequest): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !leftOut.has(name.toLowerCase()))
    // curl drops a header whose colon is followed by nothing.
    .map(([name, value]) => `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`)
  const body = payload.length > maxInline ? '--data-binary @body' : `--data-raw ${shellWord(payload)}`
  return [`curl -X ${method} ${shellWord(url)}`, ...lines, body].join(' \\\n  ')
}

const maxShown = 64 * 1024
const maxParsed = 1024 * 1024

/**
 * Returns a body in readable form: JSON is indented, even in a form field, and long text is cut to what a
 * page can show.
 */
export function readableBody(body: string, contentType: string): { text: string; isCut: boolean } {
  const text = body.length > maxParsed ? body : indented(body, contentType)
  return { text: visibleText(text.slice(0, maxShown)), isCut: text.length > maxShown }
}

function indented(body: string, contentType: string): string {
  const json = /x-www-form-urlencoded/i.test(contentType)
    ? (new URLSearchParams(body).get('payload') ?? body)
    : body
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return body
  }
}

/** Formats a duration in seconds, such as "12 ms" or "1.5 s". */
export function durationText(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`
}
