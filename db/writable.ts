import { sql } from 'kysely'
import type { Db } from './handle'
import { type Unavailability, unavailableDatabase } from './unavailable'

// Disk space is often freed manually, which this process cannot detect, so it tries again after this time.
const rememberedMs = 3_000
const fullAt = new WeakMap<Db, number>()

/** Remembers a failure that `requireWritable` cannot check later: a full disk. */
export function noteFailure(db: Db, why: Unavailability): void {
  if (why === 'full') fullAt.set(db, performance.now())
}

/**
 * Checks that the database accepts changes, as far as this is possible without making one.
 * @throws {Error} recognized by `unavailabilityOf` if the database cannot be reached, is read-only, accepts
 * no changes from this program, or failed because of a full disk in the last three seconds.
 */
export async function requireWritable(db: Db): Promise<void> {
  // A locking read is rejected like any change, but with `where false` it locks no rows. A session that lost
  // its settings, for example behind a pooler, is not recognized as outdated; there, the database itself
  // rejects events.
  const { rows } = await sql<{ outdated: boolean | null }>`
    select oldest_writer() collate "C" > nullif(current_setting('guildhall.schema', true), '') as outdated
    from (select from users where false for update) as nobody right join (select 1) as one on true`.execute(
    db,
  )
  if (rows[0]?.outdated) throw unavailableDatabase('outdated', 'a newer version has changed the tables')
  const at = fullAt.get(db) ?? -Infinity
  if (performance.now() - at < rememberedMs)
    throw unavailableDatabase('full', 'the database disk was full a moment ago')
}
