import { shellWord } from '@/app/_lib/format'
import { visibleText } from '@/app/_lib/visible-text'

/** A request as this site makes it. */
export interface ShownRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  payload: string
}

/** Above this many characters, the shell might not take it. */
const maxInline = 100_000
/** What the program sets by itself, and what nobody is shown. */
const leftOut = new Set(['authorization', 'connection', 'content-length', 'host', 'transfer-encoding'])

/** The request as a command that sends the same again, signed as it was; what authorized it has to be added. */
export function curlOf({ method, url, headers, payload }: ShownRequest): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !leftOut.has(name.toLowerCase()))
    // What ends with nothing after the colon, curl would leave out.
    .map(([name, value]) => `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`)
  const body = payload.length > maxInline ? '--data-binary @body' : `--data-raw ${shellWord(payload)}`
  return [`curl -X ${method} ${shellWord(url)}`, ...lines, body].join(' \\\n  ')
}

const maxShown = 64 * 1024
const maxParsed = 1024 * 1024

/** A body as people read it: JSON indented, also where it is a field of a form, and no more than a page can hold. */
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

/** A time span given in seconds: "12 ms", "1.5 s". */
export function durationText(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`
}
