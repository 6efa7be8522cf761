import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { inSubquery } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { SettingsScope } from '@/server/scopes'

type Waiting = SelectQueryBuilder<Database, 'workflow_jobs' | 'repositories', object>

/**
 * Returns a query for the queued jobs that runners of a scope could take. Jobs of archived repositories are
 * excluded.
 */
export function waitingIn(db: Db, scope: SettingsScope): Waiting {
  const waiting = db
    .selectFrom('workflow_jobs')
    .innerJoin('repositories', 'repositories.id', 'workflow_jobs.repository_id')
    .where('workflow_jobs.status', '=', 'queued')
    // No runner belongs to a group.
    .where('workflow_jobs.runner_group', 'is', null)
    .where('repositories.archived_at', 'is', null)
  switch (scope.kind) {
    case 'owner':
      // Reads the queue of each repository through an index, regardless of what waits elsewhere.
      return waiting.where(
        inSubquery(
          'workflow_jobs.repository_id',
          sql`select owned.id from repositories as owned where owned.owner_id = ${scope.ownerId} and owned.run_count > 0`,
        ),
      )
    case 'repository':
      return waiting.where('workflow_jobs.repository_id', '=', scope.repositoryId)
    case 'site':
      return waiting
  }
}

interface ReachedRepository {
  id: number | RawBuilder<unknown>
  owner_id: number | RawBuilder<unknown>
}

/**
 * SQL condition that a row of `runners` can be assigned jobs of a repository: it belongs to the repository,
 * its owner or the site, and is not retired.
 */
export const takesJobsOf = ({ id, owner_id }: ReachedRepository): RawBuilder<SqlBool> =>
  sql<SqlBool>`(runners.retired_at is null and (runners.repository_id = ${id} or runners.owner_id = ${owner_id}
    or (runners.repository_id is null and runners.owner_id is null)))`

/** SQL condition that a runner with these labels has all labels that a job needs; case does not matter. */
export const isFor = (labels: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(workflow_jobs.labels::text)::jsonb <@ lower(${JSON.stringify(labels)})::jsonb`

/** SQL expression for the time since when a job waits. */
export const waitingSince: RawBuilder<Date> = sql<Date>`coalesce(workflow_jobs.queued_at, workflow_jobs.updated_at)`

export interface WaitingJobRow {
  id: number
  run_id: number
  repository_id: number
  owner_id: number
  name: string
  needs: string[]
  labels: string[]
  queued_at: Date
  total: number
}

/**
 * Selects the longest-waiting jobs of a scope, each with the total count. With `labels`, only those that a
 * runner with these labels could take.
 */
export function selectWaitingJobs(
  db: Db,
  scope: SettingsScope,
  labels: readonly string[] | undefined,
  limit: number,
): Promise<WaitingJobRow[]> {
  return waitingIn(db, scope)
    .$if(labels !== undefined, query => query.where(isFor(labels ?? [])))
    .select([
      'workflow_jobs.id',
      'workflow_jobs.run_id',
      'workflow_jobs.repository_id',
      'repositories.owner_id',
      'workflow_jobs.name',
      'workflow_jobs.needs',
      'workflow_jobs.labels',
      waitingSince.as('queued_at'),
      sql<number>`count(*) over ()`.as('total'),
    ])
    .orderBy('workflow_jobs.queued_at')
    .orderBy('workflow_jobs.id')
    .limit(limit)
    .execute()
}

export interface DemandRow {
  labels: string[]
  count: number
  oldest: Date
}

const maxDemand = 1000

/**
 * Counts the waiting jobs of a scope by the labels that they need, the longest waiting first, for at most
 * `maxDemand` sets of labels. With `labels`, only those that a runner with these labels could take.
 */
export function selectDemand(
  db: Db,
  scope: SettingsScope,
  labels: readonly string[] | undefined,
): Promise<DemandRow[]> {
  return waitingIn(db, scope)
    .$if(labels !== undefined, query => query.where(isFor(labels ?? [])))
    .select([
      'workflow_jobs.labels',
      sql<number>`count(*)`.as('count'),
      sql<Date>`min(${waitingSince})`.as('oldest'),
    ])
    .groupBy('workflow_jobs.labels')
    .orderBy('oldest')
    .limit(maxDemand)
    .execute()
}
