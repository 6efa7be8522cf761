import type { HeaderReader } from './call'

export interface Range {
  start: number
  /** Included. */
  end: number
}

/**
 * Reads which part of a body of this size a request asks for: undefined for the whole, also where it asks for several parts,
 * for something that is none, or for a part of what by `If-Range` is not this any more.
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
