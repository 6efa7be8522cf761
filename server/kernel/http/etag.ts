import type { HeaderReader } from './call'

/** Returns whether the request's `If-Match` header excludes this ETag. A weak ETag never matches. */
export function wantsAnother(headers: HeaderReader, etag: string): boolean {
  const wanted = headers.get('if-match')?.split(',')
  if (!wanted || wanted.some(tag => tag.trim() === '*')) return false
  return etag.startsWith('W/') || !wanted.some(tag => tag.trim() === etag)
}

/**
 * Returns whether the request's `If-Modified-Since` header has exactly this time, and no `If-None-Match` header takes
 * its place. A later time says nothing, because a branch can move to an older commit.
 */
export function hasSince(headers: HeaderReader, changedAt: Date | undefined): boolean {
  return (
    changedAt !== undefined &&
    headers.get('if-none-match') === null &&
    headers.get('if-modified-since') === changedAt.toUTCString()
  )
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
