import type { HeaderReader } from './call'

/** Returns whether the request's `If-Match` header excludes this ETag. A weak ETag never matches. */
export function wantsAnother(headers: HeaderReader, etag: string): boolean {
  const wanted = headers.get('if-match')?.split(',')
  if (!wanted || wanted.some(tag => tag.trim() === '*')) return false
  return etag.startsWith('W/') || !wanted.some(tag => tag.trim() === etag)
}

/** Returns whether the request's `If-None-Match` header includes this ETag. */
export function hasAlready(headers: HeaderReader, etag: string): boolean {
  const known =
    headers
      .get('if-none-match')
      ?.split(',')
      .map(tag => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(etag.replace(/^W\//, ''))
}
