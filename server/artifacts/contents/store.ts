import { type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, likePattern } from '@/db/sql'
import type { ArtifactStatus } from '@/db/tables/artifacts'
import { jobsSince } from '@/server/actions'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export interface ShownArtifactRow {
  id: number
  repository_id: number
  run_id: number
  job_id: number
  job_name: string
  attempt: number
  name: string
  status: ArtifactStatus
  content_type: string
  size: number
  /** Bytes of a pending artifact received so far; null for other artifacts. */
  received: number | null
  sha256: Buffer | null
  created_at: Date
  expires_at: Date
}

const shownArtifacts = (db: Db) =>
  db
    .selectFrom('artifacts')
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'artifacts.job_id')
    .leftJoin('artifact_uploads', 'artifact_uploads.artifact_id', 'artifacts.id')
    .leftJoin('workflow_tasks', 'workflow_tasks.id', 'artifact_uploads.task_id')
    .select(['artifacts.id', 'artifacts.repository_id', 'artifacts.run_id', 'artifacts.job_id'])
    .select(['artifacts.attempt', 'artifacts.name', 'artifacts.status', 'artifacts.content_type'])
    .select(['artifacts.size', 'artifacts.sha256', 'artifacts.created_at', 'artifacts.expires_at'])
    .select(['workflow_jobs.name as job_name', 'artifact_uploads.received'])

/** Filters for the list of artifacts. An empty `q` matches all names. */
export interface WantedArtifacts {
  runId: number
  attempt: number
  q: string
  now: Date
}

/**
 * Selects a page of the artifacts of an attempt, by name. For jobs that the attempt did not rerun, this
 * includes the artifacts of the attempt that ran them. Abandoned uploads are not shown.
 */
export function selectShownArtifacts(
  db: Db,
  { runId, attempt, q, now }: WantedArtifacts,
  page: PageRequest,
): Promise<(ShownArtifactRow & { total: number; available_size: number })[]> {
  const jobs = db
    .selectFrom('workflow_jobs')
    .distinctOn('position')
    .select('id')
    .where('run_id', '=', runId)
    .where('attempt', '<=', attempt)
    .where('attempt', '>=', jobsSince(runId, attempt))
    .orderBy('position')
    .orderBy('attempt', 'desc')
  let artifacts = shownArtifacts(db)
    .where('artifacts.run_id', '=', runId)
    .where('artifacts.job_id', 'in', jobs)
    .where(
      sql<SqlBool>`(artifacts.status <> 'pending'
        or (artifact_uploads.expires_at > ${now} and workflow_tasks.status <> 'ended'))`,
    )
  if (q) artifacts = artifacts.where(sql<SqlBool>`lower(artifacts.name) like ${likePattern(q)}`)
  const isAvailable = sql`artifacts.status = 'finished' and artifacts.expires_at > ${now}`
  return artifacts
    .select([
      sql<number>`count(*) over ()`.as('total'),
      sql<number>`coalesce(sum(artifacts.size) filter (where ${isAvailable}) over (), 0)::bigint`.as(
        'available_size',
      ),
    ])
    .orderBy(sql`artifacts.name collate "C"`)
    .orderBy('artifacts.id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

/**
 * Selects the artifact of a run with this ID, or else the newest one with this name. Artifacts that have not
 * expired come first, because the name of an expired one may have been reused.
 */
export function findShownArtifact(
  db: Db,
  runId: number,
  { id, name }: { id: number | undefined; name: string },
): Promise<ShownArtifactRow | undefined> {
  return shownArtifacts(db)
    .where('artifacts.run_id', '=', runId)
    .where(eb => eb.or([eb('artifacts.name', '=', name), ...(id ? [eb('artifacts.id', '=', id)] : [])]))
    .orderBy(sql`artifacts.id = ${id ?? 0}`, 'desc')
    .orderBy(sql`artifacts.status <> 'expired'`, 'desc')
    .orderBy('artifacts.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes artifacts of a run, except those that are being uploaded. Returns the deleted ones. */
export function deleteArtifacts(
  db: Db,
  runId: number,
  ids: readonly number[],
): Promise<{ id: number; status: ArtifactStatus; size: number }[]> {
  // Locked by ID, so that concurrent calls wait for each other instead of deadlocking.
  const locked = db
    .selectFrom('artifacts')
    .select('id')
    .where('run_id', '=', runId)
    .where('id', '=', anyOf(ids))
    .where('status', '<>', 'pending')
    .orderBy('id')
    .forUpdate()
  return db
    .with('locked', () => locked)
    .deleteFrom('artifacts')
    .where('id', 'in', eb => eb.selectFrom('locked').select('id'))
    .returning(['id', 'status', 'size'])
    .execute()
}
