import type { HeaderReader } from './call'

/** Tells whether the client wants by `If-Match` something else than what this tag stands for; a weak tag stands for no bytes. */
export function wantsAnother(headers: HeaderReader, etag: string): boolean {
  const wanted = headers.get('if-match')?.split(',')
  if (!wanted || wanted.some(tag => tag.trim() === '*')) return false
  return etag.startsWith('W/') || !wanted.some(tag => tag.trim() === etag)
}

/** Tells whether the client says in `If-None-Match` that it has what this tag stands for. */
export function hasAlready(headers: HeaderReader, etag: string): boolean {
  const known =
    headers
      .get('if-none-match')
      ?.split(',')
      .map(tag => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(etag.replace(/^W\//, ''))
}
