import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { likePattern } from '@/db/sql'

/**
 * Returns the SQL condition that a key has a text in its title, or that its fingerprint starts with the text.
 * Fingerprints are random letters, so they are compared only with text that starts with `SHA256:` or has the length of
 * a fingerprint.
 */
export function hasText(title: 'public_keys.title' | 'deploy_keys.title', text: string): RawBuilder<SqlBool> {
  const inTitle = sql<SqlBool>`lower(${sql.ref(title)}) like ${likePattern(text)}`
  if (!/^sha256:|^[a-z0-9+/]{43}$/i.test(text)) return inTitle
  const begin = likePattern(/^sha256:/i.test(text) ? text : `SHA256:${text}`, ['', '%'])
  return sql`(${inTitle} or lower(public_keys.fingerprint) like ${begin})`
}
