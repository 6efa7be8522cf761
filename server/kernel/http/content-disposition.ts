import { encodeExtended } from 'content-disposition'

/**
 * Names a file in a `Content-Disposition`, always in both forms. The fallback has `_` in place of everything that some
 * client misreads: percent signs, quotes, semicolons, backslashes, slashes, and all that is not plain ASCII.
 */
export function contentDisposition(type: 'attachment' | 'inline', name: string): string {
  const fallback = name.replace(/[^\x20-\x7e]|[%"';\\/]/gu, '_')
  return `${type}; filename="${fallback}"; filename*=${encodeExtended(name.toWellFormed())}`
}
