import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { likePattern } from '@/db/sql'

/**
 * The condition that a listed key has a text in its title, or that its fingerprint begins with it. Fingerprints are random
 * letters, so one is looked at only for a text that begins as all of them do, or is as long as what follows that.
 */
export function hasText(title: 'public_keys.title' | 'deploy_keys.title', text: string): RawBuilder<SqlBool> {
  const inTitle = sql<SqlBool>`lower(${sql.ref(title)}) like ${likePattern(text)}`
  if (!/^sha256:|^[a-z0-9+/]{43}$/i.test(text)) return inTitle
  const begin = likePattern(/^sha256:/i.test(text) ? text : `SHA256:${text}`, ['', '%'])
  return sql`(${inTitle} or lower(public_keys.fingerprint) like ${begin})`
}
