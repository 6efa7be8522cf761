import mime from 'mime-types'

/** Number of bytes to read for detecting a file's type. */
export const sniffedBytes = 4100

const binary = 'application/octet-stream'
const text = 'text/plain'

/**
 * Detects a file's content type from its first bytes, regardless of its name and the type that the client
 * declares.
 */
export async function sniffContentType(beginning: Uint8Array): Promise<string> {
  const bytes = Buffer.from(beginning.subarray(0, sniffedBytes))
  // Loaded by the first file.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes)
  if (found && found.mime !== 'application/xml') return found.mime
  return bytes.some(isInNoText) ? binary : textType(bytes.toString().toLowerCase())
}

// The bytes that browsers consider binary (WHATWG MIME Sniffing).
const isInNoText = (byte: number): boolean =>
  byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f)

const htmlTags =
  /^<(html|head|body|script|iframe|style|table|div|title|meta|link|font|h1|img|a|p|b|br)[\s>/]|^<!doctype html/

function textType(beginning: string): string {
  const start = afterComments(beginning.replace(/^\ufeff/, '').trimStart())
  if (htmlTags.test(start)) return 'text/html'
  if (start.startsWith('<?xml') || start.startsWith('<!doctype') || start.startsWith('<svg')) {
    if (start.includes('<svg')) return 'image/svg+xml'
    return start.includes('<html') ? 'application/xhtml+xml' : 'application/xml'
  }
  return /^(\{\s*(["}]|$)|\[\s*([[{"\]\d-]|true|false|null|$))/.test(start) ? 'application/json' : text
}

function afterComments(start: string): string {
  let rest = start
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4)
    if (end < 0) return rest
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

/** Matches content types that browsers may run as a page or script. */
export const active = /[/+](x-)?(html|xhtml|xml|xsl|svg|javascript|ecmascript|mathml)/

/**
 * Returns the content type for serving a file, which browsers never treat as a page or script. If the detected
 * type is generic, the file name refines it.
 */
export function servedContentType(
  { name, content_type: sniffed }: { name: string; content_type: string },
  { isUtf8 = true }: { isUtf8?: boolean } = {},
): string {
  const charset = isUtf8 ? '; charset=utf-8' : ''
  if (active.test(sniffed)) return text + charset
  const named = mime.lookup(name) || ''
  if (sniffed === binary) return named.startsWith('application/') && !active.test(named) ? named : binary
  if (sniffed === text) return (named.startsWith('text/') && !active.test(named) ? named : text) + charset
  return sniffed.startsWith('text/') || sniffed === 'application/json' ? sniffed + charset : sniffed
}
