import type { HeaderReader } from './call'

/** Tells whether the client says in `If-None-Match` that it has what this tag stands for. */
export function hasAlready(headers: HeaderReader, etag: string): boolean {
  const known =
    headers
      .get('if-none-match')
      ?.split(',')
      .map(tag => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(etag.replace(/^W\//, ''))
}
