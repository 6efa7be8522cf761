import { type RawBuilder, sql } from 'kysely'
import type { Db } from '@/db/client'

/**
 * Condition that no backup is running. While one does, nothing that its snapshot of the database names can be
 * deleted. A backup starts its snapshot after its row is committed, so what was unused in the same statement,
 * or before a later one, is not named by the snapshot.
 */
export const noBackupRuns: RawBuilder<boolean> = sql<boolean>`
  not exists (select from backups where ended_at is null and held_until > now())`

/** Whether a backup is running, so that deletions must wait. Call it after the row of what is to be deleted is gone. */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select ${noBackupRuns} as free`.execute(db)
  return rows[0]?.free === false
}
