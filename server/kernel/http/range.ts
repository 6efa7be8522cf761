import type { HeaderReader } from './call'

export interface Range {
  start: number
  /** Last byte, inclusive. */
  end: number
}

/**
 * Returns the range of a body that a request asks for, or `none` if the range is outside of the body.
 * Undefined means the whole body: no range, several ranges, an invalid range, or a range of a version that
 * does not match `If-Range`.
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
