import { sql } from 'kysely'
import type { Db } from './handle'
import { type Unavailability, unavailableDatabase } from './unavailable'

// What makes room on a disk is often done by hand.
const rememberedMs = 3_000
const fullAt = new WeakMap<Db, number>()

/** Remembers what a database failed of, as far as it cannot be asked. */
export function noteFailure(db: Db, why: Unavailability): void {
  if (why === 'full') fullAt.set(db, performance.now())
}

/**
 * Requires that the database accepts changes, as far as that can be told without one.
 * @throws {Error} as `unavailabilityOf` tells, where it cannot be reached, is read-only, takes no changes from this program, or
 * failed of a full disk in the last three seconds.
 */
export async function requireWritable(db: Db): Promise<void> {
  // Refused as every change is, and locks nothing. A session that lost what it was told, as behind some poolers, is not known to
  // be too old; the database refuses by itself what records an event.
  const { rows } = await sql<{ outdated: boolean | null }>`
    select oldest_writer() collate "C" > nullif(current_setting('guildhall.schema', true), '') as outdated
    from (select from users where false for update) as nobody right join (select 1) as one on true`.execute(
    db,
  )
  if (rows[0]?.outdated) throw unavailableDatabase('outdated', 'a newer version has changed the tables')
  const at = fullAt.get(db) ?? -Infinity
  if (performance.now() - at < rememberedMs)
    throw unavailableDatabase('full', 'the disk of the database was full')
}
