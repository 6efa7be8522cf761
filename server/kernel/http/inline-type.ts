import { active } from './content-type'

const json = /^application\/([\w.-]+\+)?json$/
const text =
  /^(text\/.*|application\/(x-)?(csh|ndjson|perl|python|ruby|sh|sql|subrip|tex|toml|typescript|yaml))$/
const passive = /^((image|audio|video)\/.*|application\/pdf)$/

/**
 * Returns the content type under which browsers show a file and run nothing in it; undefined if they cannot show it. All
 * texts except JSON are plain text, because browsers run some of their types and save others, such as `text/csv`.
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

/** Tells whether a content type without parameters is of a text whose bytes do not say their own charset, as JSON's do. */
export const isText = (contentType: string): boolean => text.test(contentType)

/** Tells whether bytes from the beginning of a file are UTF-8. The last character may be cut off. */
export function isUtf8Beginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/**
 * Returns the content security policy of a file that a user uploaded. Nothing in it runs, loads anything, or is same-origin
 * with our pages. Viewers of PDF do not work in a sandbox, and players fetch the file themselves, with the cookie.
 */
export function filePolicy(contentType: string): string {
  const common = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
  if (contentType.startsWith('application/pdf')) return common
  if (/^(audio|video)\//.test(contentType)) return `${common}; media-src 'self'`
  return `${common}; sandbox`
}
