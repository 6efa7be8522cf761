import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, anyOf, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { AttachmentsTable } from '@/db/tables/attachments'

export type AttachmentRow = Pick<Selectable<AttachmentsTable>, (typeof attachmentColumns)[number]>

const attachmentColumns = [
  'id',
  'uuid',
  'release_id',
  'repository_id',
  'uploader_id',
  'name',
  'size',
  'sha256',
  'content_type',
  'storage_key',
  'download_count',
  'created_at',
] as const

const present = (db: Db): SelectQueryBuilder<Database, 'attachments', object> =>
  db.selectFrom('attachments').where('deleted_at', 'is', null)

const byName = sql<string>`name collate "C"`

/** Selects the files of a release, sorted by name. */
export function selectAttachments(db: Db, releaseId: number): Promise<AttachmentRow[]> {
  return byNames(present(db).where('release_id', '=', releaseId)).execute()
}

/** Selects the files of several releases in one query, grouped by release ID and sorted by name. */
export async function attachmentsOf(
  db: Db,
  releaseIds: readonly number[],
): Promise<ReadonlyMap<number, AttachmentRow[]>> {
  const files = new Map<number, AttachmentRow[]>(releaseIds.map(id => [id, []]))
  const rows = await byNames(present(db).where('release_id', '=', anyOf(releaseIds))).execute()
  for (const row of rows) files.get(row.release_id)?.push(row)
  return files
}

const byNames = (files: ReturnType<typeof present>) =>
  files.select(attachmentColumns).orderBy('release_id').orderBy(byName).orderBy('id')

export function countAttachments(db: Db, releaseId: number): Promise<number> {
  return countRows(present(db).where('release_id', '=', releaseId))
}

export function findAttachment(db: Db, releaseId: number, id: number): Promise<AttachmentRow | undefined> {
  return present(db)
    .select(attachmentColumns)
    .where('release_id', '=', releaseId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds a file of a release by name. If several files have the name, returns the newest. */
export function findAttachmentByName(
  db: Db,
  releaseId: number,
  name: string,
): Promise<AttachmentRow | undefined> {
  return present(db)
    .select(attachmentColumns)
    .where('release_id', '=', releaseId)
    .where(byName, '=', name)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findAttachmentByUuid(db: Db, uuid: string): Promise<AttachmentRow | undefined> {
  return present(db).select(attachmentColumns).where('uuid', '=', uuid).executeTakeFirst()
}

export function insertAttachment(
  trx: Transaction<Database>,
  row: Insertable<AttachmentsTable>,
): Promise<AttachmentRow> {
  return trx.insertInto('attachments').values(row).returning(attachmentColumns).executeTakeFirstOrThrow()
}

/** Permanently deletes the files of a release that have this name. */
export async function deleteAttachmentsNamed(
  trx: Transaction<Database>,
  releaseId: number,
  name: string,
): Promise<void> {
  await trx
    .deleteFrom('attachments')
    .where('release_id', '=', releaseId)
    .where(byName, '=', name)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Renames a file and returns its row; undefined if the file was deleted. */
export function renameAttachment(
  db: Db,
  id: number,
  name: string,
  now: Date,
): Promise<AttachmentRow | undefined> {
  return db
    .updateTable('attachments')
    .set({ name, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(attachmentColumns)
    .executeTakeFirst()
}

/** Marks a file as deleted, so that it can be restored. Returns false if it was already deleted. */
export async function hideAttachment(db: Db, id: number, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('attachments')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return affectedRows(result) === 1
}

/**
 * Restores a file that was marked as deleted after this time. Returns its row; undefined if there is no such
 * file.
 */
export function unhideAttachment(
  db: Db,
  releaseId: number,
  id: number,
  after: Date,
): Promise<AttachmentRow | undefined> {
  return db
    .updateTable('attachments')
    .set({ deleted_at: null })
    .where('release_id', '=', releaseId)
    .where('id', '=', id)
    .where('deleted_at', '>', after)
    .returning(attachmentColumns)
    .executeTakeFirst()
}

/**
 * Permanently deletes files that were marked as deleted at or before this time. Returns the number of files.
 */
export async function deleteAttachmentsHiddenBefore(db: Db, time: Date): Promise<number> {
  const result = await db.deleteFrom('attachments').where('deleted_at', '<=', time).executeTakeFirst()
  return affectedRows(result)
}

export async function countDownload(db: Db, id: number): Promise<void> {
  await db
    .updateTable('attachments')
    .set(eb => ({ download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
