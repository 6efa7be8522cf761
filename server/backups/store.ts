import { type Selectable, sql } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import type { BackupsTable } from '@/db/tables/backups'
import { uniqueViolation } from '@/db/violation'

/** How a backup ended; the sizes in bytes only if it was completed. */
export interface BackupResult {
  outcome: 'done' | 'stopped' | 'failed'
  message: string
  sizeBytes?: number
  copiedBytes?: number
}

// Deletions never wait longer, not even for a backup that continues.
const maxHold = sql`interval '24 hours'`
// A killed backup is noticed after this time.
const lease = sql`interval '2 minutes'`
const kept = 100

/**
 * Records that a backup has started. A killed backup is ended when its lease has expired, or immediately with
 * `isAlone`: no other process can be using the database.
 * @throws {Error} if another backup is running
 */
export async function beginBackup(
  db: Db,
  { isAlone }: { isAlone: boolean },
): Promise<{ id: number; startedAt: Date }> {
  const message = 'The process was killed, or lost its connection to the database.'
  await db
    .updateTable('backups')
    .set({ ended_at: sql<Date>`least(held_until, now())`, outcome: 'stopped', message })
    .where('ended_at', 'is', null)
    .where(sql<boolean>`(held_until < now() or ${isAlone})`)
    .execute()
  try {
    const row = await db
      .insertInto('backups')
      .values({ held_until: sql<Date>`now() + ${lease}` })
      .returning(['id', 'started_at'])
      .executeTakeFirstOrThrow()
    return { id: row.id, startedAt: row.started_at }
  } catch (error) {
    if (uniqueViolation(error) !== 'backups_running') throw error
    throw new Error('another backup is running, or was killed less than two minutes ago', { cause: error })
  }
}

/** Makes deletions wait for a backup for two more minutes. Returns false if they no longer wait. */
export async function extendHold(db: Db, id: number): Promise<boolean> {
  const result = await db
    .updateTable('backups')
    .set({ held_until: sql<Date>`least(now() + ${lease}, started_at + ${maxHold})` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('held_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return affectedRows(result) === 1
}

/** Stores the result of a backup, lets deletions continue, and forgets all but the last 100 backups. */
export async function endBackup(db: Db, id: number, result: BackupResult): Promise<void> {
  const { outcome, message, sizeBytes = null, copiedBytes = null } = result
  await db
    .updateTable('backups')
    .set({ ended_at: sql<Date>`now()`, outcome, message, size_bytes: sizeBytes, copied_bytes: copiedBytes })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  await db
    .deleteFrom('backups')
    .where('id', '<=', query =>
      query.selectFrom('backups').select('id').orderBy('id', 'desc').limit(1).offset(kept),
    )
    .execute()
}

/** Returns the ID of the last backup that began, running or not; 0 if there was none. */
export async function lastBackupId(db: Db): Promise<number> {
  const row = await db.selectFrom('backups').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

/** Records a backup that failed before it could begin, unless one has begun after the one with this ID. */
export async function recordFailure(db: Db, lastId: number, message: string): Promise<void> {
  await sql`
    insert into backups (held_until, ended_at, outcome, message)
    select now(), now(), 'failed', ${message}
    where not exists (select from backups where id > ${lastId})`.execute(db)
}

/** Ends the backup that a restored database was read for, which was running at that time. */
export async function endRestored(db: Db): Promise<void> {
  await db
    .updateTable('backups')
    .set({ ended_at: sql<Date>`held_until`, outcome: 'done' })
    .where('ended_at', 'is', null)
    .execute()
}

/** The last backup that has ended, the last one that was completed, and the one that is running. */
export interface LastBackups {
  ended: Selectable<BackupsTable> | undefined
  done: Selectable<BackupsTable> | undefined
  running: Selectable<BackupsTable> | undefined
}

export async function selectLastBackups(db: Db): Promise<LastBackups> {
  const newest = db.selectFrom('backups').selectAll().orderBy('id', 'desc').limit(1)
  const [ended, done, running] = await Promise.all([
    newest.where('ended_at', 'is not', null).executeTakeFirst(),
    newest.where('outcome', '=', 'done').executeTakeFirst(),
    newest.where('ended_at', 'is', null).where('held_until', '>', sql<Date>`now()`).executeTakeFirst(),
  ])
  return { ended, done, running }
}
