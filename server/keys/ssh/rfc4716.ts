import { decodeBase64 } from './base64'
import { cleanComment } from './comment'
import { invalidKey } from './errors'
import { joinTrimmed, linesWithin } from './pem-armor'

const begin = '---- BEGIN SSH2 PUBLIC KEY ----'
const end = '---- END SSH2 PUBLIC KEY ----'

export const isRfc4716Line = (line: string): boolean => line.trim() === begin

/** Reads the block that RFC 4716 defines, keeping its Comment header; throws unprocessable if it is malformed. */
export function readRfc4716(lines: readonly string[]): { blob: Buffer; comment: string } {
  const body = linesWithin(lines, begin, end)
  let comment = ''
  let at = 0
  while (body[at]?.includes(':')) {
    let header = body[at++]!.trimEnd()
    while (header.endsWith('\\')) {
      if (at === body.length) throw invalidKey('a header of the key is cut off; copy the whole block')
      header = header.slice(0, -1) + body[at++]!.trimEnd()
    }
    const colon = header.indexOf(':')
    if (header.slice(0, colon).trim().toLowerCase() === 'comment') comment = unquoted(header.slice(colon + 1))
  }
  return { blob: decodeBase64(joinTrimmed(body.slice(at))), comment: cleanComment(comment) }
}

function unquoted(value: string): string {
  const text = value.trim()
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}
