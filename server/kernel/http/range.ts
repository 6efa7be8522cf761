import type { HeaderReader } from './call'

export interface Range {
  start: number
  /** Last byte, inclusive. */
  end: number
}

/**
 * Returns the byte range of a response body that the request's `Range` header specifies, or `none` if it is
 * not satisfiable. Undefined means the whole body: the header is absent or invalid, lists several ranges, or
 * is void because `If-Range` does not match the ETag.
 */
export function rangeOf(headers: HeaderReader, size: number, etag: string): Range | 'none' | undefined {
  const [, first = '', last = ''] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.get('range')?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  const known = headers.get('if-range')
  if (known !== null && known.trim() !== etag) return undefined
  if (first === '')
    return last === '0' || size === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (last !== '' && Number(last) < start) return undefined
  return start < size ? { start, end } : 'none'
}
