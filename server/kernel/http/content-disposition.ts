import { encodeExtended, format } from 'content-disposition'

/**
 * Names a file in a `Content-Disposition`. Where the name is not plain ASCII, old clients get one with `_` in place of the
 * rest, all others the whole one.
 */
export function contentDisposition(type: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/gu, '_')
  const parameters: Record<string, string> =
    plain === name ? { filename: name } : { filename: plain, 'filename*': encodeExtended(name) }
  return format({ type, parameters })
}
