import { encodeExtended } from 'content-disposition'

/**
 * Returns a `Content-Disposition` header with a file name in both parameters, `filename` and `filename*`. In
 * `filename`, `_` replaces every character that some clients misread: percent signs, quotes, semicolons,
 * slashes, backslashes, and all non-ASCII characters.
 */
export function contentDisposition(type: 'attachment' | 'inline', name: string): string {
  const fallback = name.replace(/[^\x20-\x7e]|[%"';\\/]/gu, '_')
  return `${type}; filename="${fallback}"; filename*=${encodeExtended(name.toWellFormed())}`
}
