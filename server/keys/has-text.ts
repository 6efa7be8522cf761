import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { likePattern } from '@/db/sql'

/**
 * Returns an SQL condition for the SSH keys whose title contains a text or whose fingerprint starts with it,
 * ignoring case. Fingerprints are compared only if the text starts with `SHA256:` or has the length of a
 * fingerprint, because short texts would match fingerprints by chance.
 */
export function hasText(title: 'public_keys.title' | 'deploy_keys.title', text: string): RawBuilder<SqlBool> {
  const inTitle = sql<SqlBool>`lower(${sql.ref(title)}) like ${likePattern(text)}`
  if (!/^sha256:|^[a-z0-9+/]{43}$/i.test(text)) return inTitle
  const begin = likePattern(/^sha256:/i.test(text) ? text : `SHA256:${text}`, ['', '%'])
  return sql`(${inTitle} or lower(public_keys.fingerprint) like ${begin})`
}
