import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { ArtifactsTable, ArtifactUploadsTable } from '@/db/tables/artifacts'
import { jobsSince } from '@/server/actions'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

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

export function findArtifactBelow(
  db: Db,
  id: number,
  { owner, repo }: { owner: string; repo: string },
): Promise<ArtifactRow | undefined> {
  return db
    .selectFrom('artifacts')
    .innerJoin('repositories', 'repositories.id', 'artifacts.repository_id')
    .select(artifactColumns)
    .where('artifacts.id', '=', id)
    .where('repositories.search_name', '=', `${owner}/${repo}`.toLowerCase())
    .executeTakeFirst()
}

export function findUpload(db: Db, artifactId: number): Promise<UploadRow | undefined> {
  return db
    .selectFrom('artifact_uploads')
    .select(uploadColumns)
    .where('artifact_id', '=', artifactId)
    .executeTakeFirst()
}

/** Attempt of a run, within which the names of artifacts that have not expired are unique. */
export interface AttemptOfRun {
  runId: number
  attempt: number
}

/** Finds the artifact of an attempt that holds a name, even while its upload is pending. */
export function findNamedArtifact(db: Db, ids: AttemptOfRun, name: string): Promise<ArtifactRow | undefined> {
  return namedArtifact(db, ids, name).select(artifactColumns).executeTakeFirst()
}

/** Like `findNamedArtifact`, and locks the artifact until the transaction ends. */
export function lockNamedArtifact(
  trx: Transaction<Database>,
  ids: AttemptOfRun,
  name: string,
): Promise<ArtifactRow | undefined> {
  return namedArtifact(trx, ids, name).select(artifactColumns).forUpdate().executeTakeFirst()
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

// Far more than clients use.
const maxListed = 10_000

/**
 * Selects the finished artifacts that a job of an attempt sees, by id: those of the attempt, and from earlier
 * attempts those of jobs that were not rerun since. If several have the same name, the newest is selected.
 */
export function selectVisibleArtifacts(
  db: Db,
  { runId, attempt }: AttemptOfRun,
  { now, name, id }: { now: Date; name?: string | undefined; id?: number | undefined },
): Promise<ArtifactRow[]> {
  let newest = db
    .selectFrom('artifacts')
    .innerJoin('workflow_jobs as job', 'job.id', 'artifacts.job_id')
    .distinctOn('artifacts.name')
    .select(artifactColumns)
    .where('artifacts.run_id', '=', runId)
    .where('artifacts.attempt', '<=', attempt)
    .where('artifacts.attempt', '>=', jobsSince(runId, attempt))
    .where('artifacts.status', '=', 'finished')
    .where('artifacts.expires_at', '>', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workflow_jobs as later')
            .select('later.id')
            .whereRef('later.run_id', '=', 'job.run_id')
            .whereRef('later.position', '=', 'job.position')
            .whereRef('later.attempt', '>', 'job.attempt')
            .where('later.attempt', '<=', attempt),
        ),
      ),
    )
    .orderBy('artifacts.name')
    .orderBy('artifacts.attempt', 'desc')
  if (name !== undefined) newest = newest.where('artifacts.name', '=', name)
  let visible = db.selectFrom(newest.as('artifacts')).selectAll()
  if (id !== undefined) visible = visible.where('id', '=', id)
  return visible.orderBy('id').limit(maxListed).execute()
}

/** Upload of a pending artifact, with the status of the task that sends it. */
export type RunningUpload = UploadRow & { task_status: 'running' | 'cancelling' | 'ended' }

/** Finds the upload of a pending artifact, to determine whether it can still continue. */
export function findRunningUpload(db: Db, artifactId: number): Promise<RunningUpload | undefined> {
  return db
    .selectFrom('artifact_uploads')
    .innerJoin('workflow_tasks as task', 'task.id', 'artifact_uploads.task_id')
    .select([...uploadColumns, 'task.status as task_status'])
    .where('artifact_id', '=', artifactId)
    .executeTakeFirst()
}

/** Returns when the token of a task expires; undefined if the task has ended. */
export function findTask(db: Db, id: number): Promise<{ expires_at: Date } | undefined> {
  return runningTask(db, id).executeTakeFirst()
}

/**
 * Like `findTask`, and locks the task until the transaction ends, so that its job creates one artifact at a
 * time.
 */
export function lockTask(trx: Transaction<Database>, id: number): Promise<{ expires_at: Date } | undefined> {
  return runningTask(trx, id).forNoKeyUpdate().executeTakeFirst()
}

function runningTask(
  db: Db,
  id: number,
): SelectQueryBuilder<Database, 'workflow_tasks', { expires_at: Date }> {
  return db
    .selectFrom('workflow_tasks')
    .select('expires_at')
    .where('id', '=', id)
    .where('status', '<>', 'ended')
}

export async function isArchived(db: Db, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('repositories')
    .select('archived_at')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return row?.archived_at != null
}

export async function findJobName(db: Db, jobId: number): Promise<string> {
  const job = await db.selectFrom('workflow_jobs').select('name').where('id', '=', jobId).executeTakeFirst()
  return job?.name ?? ''
}

/** Artifact with the commit of its run. */
export type ArtifactOfRun = ArtifactRow & { head_sha: string }

export interface ArtifactFilter {
  repositoryId?: number
  runId?: number
  /** If empty, all names match. */
  name?: string | undefined
}

/** Selects a page of finished and expired artifacts, by ID. */
export function selectArtifacts(db: Db, filter: ArtifactFilter, page: PageRequest): Promise<ArtifactOfRun[]> {
  return ofRuns(db)
    .where(matching(filter))
    .orderBy('artifacts.id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countArtifacts(db: Db, filter: ArtifactFilter): Promise<number> {
  return countRows(db.selectFrom('artifacts').where(matching(filter)))
}

export function findArtifactOfRun(db: Db, id: number): Promise<ArtifactOfRun | undefined> {
  return ofRuns(db).where('artifacts.id', '=', id).executeTakeFirst()
}

const ofRuns = (db: Db) =>
  db
    .selectFrom('artifacts')
    .innerJoin('workflow_runs', 'workflow_runs.id', 'artifacts.run_id')
    .select([...artifactColumns, 'workflow_runs.sha as head_sha'])

const matching =
  ({ repositoryId, runId, name }: ArtifactFilter) =>
  (eb: ExpressionBuilder<Database, 'artifacts'>): Expression<SqlBool> =>
    eb.and([
      eb('artifacts.status', '<>', 'pending'),
      ...(repositoryId === undefined ? [] : [eb('artifacts.repository_id', '=', repositoryId)]),
      ...(runId === undefined ? [] : [eb('artifacts.run_id', '=', runId)]),
      ...(name ? [eb('artifacts.name', '=', name)] : []),
    ])

/** Counts the artifacts of a job that have not expired. */
export function countArtifactsOfJob(db: Db, jobId: number): Promise<number> {
  return countRows(db.selectFrom('artifacts').where('job_id', '=', jobId).where('status', '<>', 'expired'))
}

/** Inserts an artifact; undefined if another artifact of the attempt holds the name. */
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

/** Marks a finished artifact as expired, which frees its name. Its object is left to the storage's sweep. */
export async function expireArtifact(trx: Transaction<Database>, id: number): Promise<void> {
  await trx
    .updateTable('artifacts')
    .set({ status: 'expired', storage_key: null, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes an artifact with its upload. Returns false if it does not exist. A trigger leaves its object to the
 * storage's sweep.
 */
export async function deleteArtifact(trx: Transaction<Database>, id: number): Promise<boolean> {
  const result = await trx.deleteFrom('artifacts').where('id', '=', id).executeTakeFirst()
  return affectedRows(result) === 1
}
