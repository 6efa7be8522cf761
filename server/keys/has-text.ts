import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { likePattern } from '@/db/sql'

/**
 * The condition that a listed key has a text in its title, or that its fingerprint begins with it. Fingerprints are random
 * letters, so one is looked at only for a text that begins as all of them do.
 */
export function hasText(title: 'public_keys.title' | 'deploy_keys.title', text: string): RawBuilder<SqlBool> {
  const inTitle = sql<SqlBool>`lower(${sql.ref(title)}) like ${likePattern(text)}`
  if (!/^sha256:/i.test(text)) return inTitle
  return sql`(${inTitle} or lower(public_keys.fingerprint) like ${likePattern(text, ['', '%'])})`
}
