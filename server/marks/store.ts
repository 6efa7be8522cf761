import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { MarkedThing } from '@/db/tables/site-marks'

export interface KnownMark {
  mark: string
  /** False if a start was interrupted before the mark was written to the location. */
  isWritten: boolean
}

export type KnownMarks = Partial<Record<MarkedThing, KnownMark>>

/** Returns the marks in the database; none if the database has not been migrated to a version with marks. */
export async function findMarks(db: Db): Promise<KnownMarks> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('site_marks') is not null as exists`.execute(db)
  return rows[0]?.exists ? await selectMarks(db) : {}
}

export async function selectMarks(db: Db): Promise<KnownMarks> {
  const rows = await db.selectFrom('site_marks').select(['thing', 'mark', 'is_written']).execute()
  return Object.fromEntries(rows.map(row => [row.thing, { mark: row.mark, isWritten: row.is_written }]))
}

/**
 * Returns a digest that identifies a site, which a site restored from its backup does not share; undefined before
 * the first start.
 */
export async function siteId(db: Db): Promise<string | undefined> {
  const { repositories } = await selectMarks(db)
  return repositories && createHash('sha256').update(`site ${repositories.mark}`).digest('hex')
}

/** Saves the mark of a location or key, replacing any previous one. */
export async function saveMark(db: Db, thing: MarkedThing, { mark, isWritten }: KnownMark): Promise<void> {
  const values = { mark, is_written: isWritten }
  await db
    .insertInto('site_marks')
    .values({ thing, ...values })
    .onConflict(conflict => conflict.column('thing').doUpdateSet(values))
    .execute()
}

/** Deletes the encrypted SSH host keys. Public keys of another SSH server are kept. */
export async function deleteSealedHostKeys(db: Db): Promise<void> {
  await db.deleteFrom('ssh_host_keys').where(sql<boolean>`length(sealed_private_key) > 0`).execute()
}
