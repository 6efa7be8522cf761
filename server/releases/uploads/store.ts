import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { AttachmentUploadsTable } from '@/db/tables/attachments'

const uploadColumns = [
  'id',
  'release_id',
  'repository_id',
  'user_id',
  'name',
  'size',
  'received',
  'parts',
  'replaces',
  'storage_key',
  'attachment_id',
  'updated_at',
] as const

export type UploadRow = Pick<Selectable<AttachmentUploadsTable>, (typeof uploadColumns)[number]>

export function insertUpload(db: Db, row: Insertable<AttachmentUploadsTable>): Promise<UploadRow> {
  return db.insertInto('attachment_uploads').values(row).returning(uploadColumns).executeTakeFirstOrThrow()
}

/** Finds an upload that was last active after this time. */
export function findUpload(db: Db, id: string, after: Date): Promise<UploadRow | undefined> {
  return db
    .selectFrom('attachment_uploads')
    .select(uploadColumns)
    .where('id', '=', id)
    .where('updated_at', '>', after)
    .executeTakeFirst()
}

/** Selects a user's unfinished uploads to a release that were last active after this time, oldest first. */
export function selectUnfinished(
  db: Db,
  { releaseId, userId }: { releaseId: number; userId: number },
  after: Date,
): Promise<UploadRow[]> {
  return db
    .selectFrom('attachment_uploads')
    .select(uploadColumns)
    .where('release_id', '=', releaseId)
    .where('user_id', '=', userId)
    .where('attachment_id', 'is', null)
    .where('updated_at', '>', after)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function countUnfinished(db: Db, userId: number): Promise<number> {
  return countRows(
    db.selectFrom('attachment_uploads').where('user_id', '=', userId).where('attachment_id', 'is', null),
  )
}

/** Records a stored part of an upload and returns the upload's new row; undefined if the lock was lost. */
export function addPart(
  db: Db,
  { id, parts }: Pick<UploadRow, 'id' | 'parts'>,
  { bytes, lockToken, now }: { bytes: number; lockToken: string; now: Date },
): Promise<UploadRow | undefined> {
  return db
    .updateTable('attachment_uploads')
    .set(eb => ({ received: eb('received', '+', bytes), parts: eb('parts', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .where('parts', '=', parts)
    .where('lock_token', '=', lockToken)
    .returning(uploadColumns)
    .executeTakeFirst()
}

/**
 * Locks an upload's row until the transaction ends and returns it; undefined if the upload was deleted. The
 * upload's release must be locked first.
 */
export function lockUploadRow(trx: Transaction<Database>, id: string): Promise<UploadRow | undefined> {
  return trx
    .selectFrom('attachment_uploads')
    .select(uploadColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Records the file that an upload has become. */
export async function noteAttachment(db: Db, id: string, attachmentId: number): Promise<void> {
  await db
    .updateTable('attachment_uploads')
    .set({ attachment_id: attachmentId })
    .where('id', '=', id)
    .execute()
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('attachment_uploads').where('id', '=', id).execute()
}

/** Deletes uploads that were last active at or before this time. Returns the number of uploads. */
export async function deleteUploadsBefore(db: Db, time: Date): Promise<number> {
  const result = await db.deleteFrom('attachment_uploads').where('updated_at', '<=', time).executeTakeFirst()
  return affectedRows(result)
}

// Uses the database clock, because the clocks of processes can differ.
const leased = sql<Date>`now() + interval '6 seconds'`

/** Acquires the lock of an upload and returns true, unless another request has an unexpired lock. */
export async function takeLock(db: Db, id: string, token: string): Promise<boolean> {
  const result = await db
    .updateTable('attachment_uploads')
    .set({ lock_token: token, locked_until: leased, lock_wanted: false })
    .where('id', '=', id)
    .where(eb => eb.or([eb('lock_token', 'is', null), eb('locked_until', '<', sql<Date>`now()`)]))
    .executeTakeFirst()
  return affectedRows(result) === 1
}

/** Asks the holder of an upload's lock to release it. Returns false if the upload does not exist. */
export async function wantLock(db: Db, id: string): Promise<boolean> {
  const result = await db
    .updateTable('attachment_uploads')
    .set({ lock_wanted: true })
    .where('id', '=', id)
    .executeTakeFirst()
  return affectedRows(result) === 1
}

/**
 * Renews the lock of an upload. Returns whether another request wants the lock; undefined if the lock was
 * lost.
 */
export async function renewLock(db: Db, id: string, token: string): Promise<boolean | undefined> {
  const row = await db
    .updateTable('attachment_uploads')
    .set({ locked_until: leased })
    .where('id', '=', id)
    .where('lock_token', '=', token)
    .returning('lock_wanted')
    .executeTakeFirst()
  return row?.lock_wanted
}

/** Releases all upload locks that were last renewed at least `agoMs` milliseconds ago. */
export async function endLocks(db: Db, agoMs: number): Promise<void> {
  await db
    .updateTable('attachment_uploads')
    .set({ lock_token: null, locked_until: null, lock_wanted: false })
    .where('locked_until', '<=', sql<Date>`${leased} - ${agoMs} * interval '1 millisecond'`)
    .execute()
}

export async function dropLock(db: Db, id: string, token: string): Promise<void> {
  await db
    .updateTable('attachment_uploads')
    .set({ lock_token: null, locked_until: null, lock_wanted: false })
    .where('id', '=', id)
    .where('lock_token', '=', token)
    .execute()
}
