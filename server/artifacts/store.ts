import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { ArtifactsTable, ArtifactUploadsTable } from '@/db/tables/artifacts'

export type ArtifactRow = Selectable<ArtifactsTable>
export type UploadRow = Omit<Selectable<ArtifactUploadsTable>, 'block_name_length'>

export const artifactColumns = [
  'artifacts.id',
  'artifacts.repository_id',
  'artifacts.run_id',
  'artifacts.attempt',
  'artifacts.job_id',
  'artifacts.name',
  'artifacts.status',
  'artifacts.content_type',
  'artifacts.size',
  'artifacts.sha256',
  'artifacts.storage_key',
  'artifacts.created_at',
  'artifacts.updated_at',
  'artifacts.expires_at',
] as const

export const uploadColumns = [
  'artifact_uploads.artifact_id',
  'artifact_uploads.task_id',
  'artifact_uploads.parts',
  'artifact_uploads.received',
  'artifact_uploads.block_order',
  'artifact_uploads.sha256',
  'artifact_uploads.is_direct',
  'artifact_uploads.expires_at',
] as const

export function findArtifact(db: Db, id: number): Promise<ArtifactRow | undefined> {
  return db.selectFrom('artifacts').select(artifactColumns).where('id', '=', id).executeTakeFirst()
}

export function findUpload(db: Db, artifactId: number): Promise<UploadRow | undefined> {
  return db
    .selectFrom('artifact_uploads')
    .select(uploadColumns)
    .where('artifact_id', '=', artifactId)
    .executeTakeFirst()
}

/** Where an artifact's name is unique: among those of an attempt that have not expired. */
export interface AttemptOfRun {
  runId: number
  attempt: number
}

/** Finds the artifact of an attempt that has a name, also while its upload is pending. */
export function findNamedArtifact(
  db: Db,
  place: AttemptOfRun,
  name: string,
): Promise<ArtifactRow | undefined> {
  return namedArtifact(db, place, name).select(artifactColumns).executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export function lockNamedArtifact(
  trx: Transaction<Database>,
  place: AttemptOfRun,
  name: string,
): Promise<ArtifactRow | undefined> {
  return namedArtifact(trx, place, name).select(artifactColumns).forUpdate().executeTakeFirst()
}

function namedArtifact(
  db: Db,
  { runId, attempt }: AttemptOfRun,
  name: string,
): SelectQueryBuilder<Database, 'artifacts', object> {
  return db
    .selectFrom('artifacts')
    .where('run_id', '=', runId)
    .where('attempt', '=', attempt)
    .where('name', '=', name)
    .where('status', '<>', 'expired')
}

/** Counts the artifacts of a job that have not expired. */
export function countArtifactsOfJob(db: Db, jobId: number): Promise<number> {
  return countRows(db.selectFrom('artifacts').where('job_id', '=', jobId).where('status', '<>', 'expired'))
}

/** Inserts an artifact; undefined if another one of the attempt has the name. */
export function insertArtifact(
  trx: Transaction<Database>,
  artifact: Insertable<ArtifactsTable>,
): Promise<ArtifactRow | undefined> {
  return trx
    .insertInto('artifacts')
    .values(artifact)
    .onConflict(on =>
      on.columns(['run_id', 'attempt', 'name']).where('status', '<>', sql.lit('expired')).doNothing(),
    )
    .returning(artifactColumns)
    .executeTakeFirst()
}

export async function insertUpload(
  trx: Transaction<Database>,
  upload: Insertable<ArtifactUploadsTable>,
): Promise<void> {
  await trx.insertInto('artifact_uploads').values(upload).execute()
}

/** Marks a finished artifact as expired, which frees its name and leaves its object to the sweep. */
export async function expireArtifact(trx: Transaction<Database>, id: number): Promise<void> {
  await trx
    .updateTable('artifacts')
    .set({ status: 'expired', storage_key: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Deletes an artifact with its upload. A trigger leaves its object to the sweep. */
export async function deleteArtifact(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('artifacts').where('id', '=', id).execute()
}
