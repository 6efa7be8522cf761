import { active } from './content-type'

const json = /^application\/([\w.-]+\+)?json$/
const text =
  /^(text\/.*|application\/(x-)?(csh|ndjson|perl|python|ruby|sh|sql|subrip|tex|toml|typescript|yaml))$/
const passive = /^((image|audio|video)\/.*|application\/pdf)$/

/**
 * Returns the content type with which browsers display a file without executing any of its content; undefined
 * if they cannot display it. All text types except JSON become plain text, because browsers execute some text
 * types and download others, such as `text/csv`.
 */
export function previewType(
  contentType: string,
  { isUtf8 = true }: { isUtf8?: boolean } = {},
): string | undefined {
  const charset = isUtf8 ? '; charset=utf-8' : ''
  const [essence = ''] = contentType.toLowerCase().split(/[ ;]/)
  if (json.test(essence)) return essence + charset
  if (text.test(essence) || active.test(essence)) return `text/plain${charset}`
  return passive.test(essence) ? essence : undefined
}

/**
 * Returns whether a content type without parameters is a text type whose charset must be declared; the charset
 * of JSON is fixed.
 */
export const isText = (contentType: string): boolean => text.test(contentType)

/** Returns whether the first bytes of a file are UTF-8. The last character can be incomplete. */
export function isUtf8Beginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Returns the Content Security Policy for a file uploaded by a user: the file cannot run scripts or load
 * resources, and most types are sandboxed. The sandbox is omitted for PDF, audio, and video files, because
 * PDF viewers do not work in a sandbox and media players fetch the file themselves, with the session cookie.
 */
export function filePolicy(contentType: string): string {
  const common = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
  if (contentType.startsWith('application/pdf')) return common
  if (/^(audio|video)\//.test(contentType)) return `${common}; media-src 'self'`
  return `${common}; sandbox`
}
