import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type RunnerRow, runnerColumns } from '../store'

/** Columns of a runner that decide which jobs it can take. */
export type Reach = Pick<RunnerRow, 'owner_id' | 'repository_id' | 'labels'>

/** Queued job that a runner can take. */
export interface Candidate {
  id: number
  run_id: number
  repository_id: number
  owner_id: number
  job_key: string
  workflow_id: number | null
  labels: string[]
}

/** Row of a runner with the data that decides whether it can take a job. */
export interface LockedRunner extends RunnerRow {
  /** Whether the runner is ephemeral and has already been assigned its only task. */
  is_used: boolean
}

/** Runner that requests a task. */
export interface AskingRunner extends LockedRunner {
  /** Id of a task that the runner was assigned and never reported about. */
  unacknowledged_id: number | null
}

const isUsed = sql<boolean>`(runners.is_ephemeral and exists (
  select from workflow_tasks where workflow_tasks.runner_id = runners.id))`

export function findAskingRunner(db: Db, id: number): Promise<AskingRunner | undefined> {
  return db
    .selectFrom('runners')
    .modifyFront(prepared)
    .select(runnerColumns)
    .select([
      sql<number | null>`(select workflow_tasks.id from workflow_tasks
        where workflow_tasks.runner_id = runners.id and workflow_tasks.status = 'running'
          and workflow_tasks.acknowledged_at is null
        order by workflow_tasks.id limit 1)`.as('unacknowledged_id'),
      isUsed.as('is_used'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks runners that are about to be assigned jobs, by ID, and returns their current rows. */
export async function lockAskingRunners(
  trx: Transaction<Database>,
  ids: readonly number[],
): Promise<Map<number, LockedRunner>> {
  const rows = await trx
    .selectFrom('runners')
    .select(runnerColumns)
    .select(isUsed.as('is_used'))
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

// Several candidates, because another process may take the first one; `many` is used for runners that are
// matched together.
const maxCandidates = { few: 5, many: 60 }

/**
 * Selects queued jobs that a runner can take, the longest waiting first, except those that are `held`. Jobs
 * of runs that were started under a former owner of the repository are excluded. Locks nothing.
 */
export async function selectCandidates(
  db: Db,
  reach: Reach,
  held: readonly number[],
  count: keyof typeof maxCandidates,
): Promise<Candidate[]> {
  const limit = sql.lit(maxCandidates[count])
  // As on GitHub, case does not matter.
  const labels = sql`lower(${JSON.stringify(reach.labels)})::jsonb`
  const { rows } =
    await sql<Candidate>`${prepared} select id, run_id, repository_id, owner_id, job_key, workflow_id, labels
    from (${candidatesOf(reach, { labels, held, limit })}) candidates
    order by queued_at, id limit ${limit}`.execute(db)
  return rows
}

// Each query reads the queue in order through an index, and only the part that the runner can take.
function candidatesOf(
  { owner_id, repository_id }: Reach,
  {
    labels,
    held,
    limit,
  }: { labels: RawBuilder<unknown>; held: readonly number[]; limit: RawBuilder<unknown> },
): RawBuilder<unknown> {
  // `offset 0` keeps the join from being planned as a scan of the whole queue that is sorted afterward.
  const firstWhere = (condition: RawBuilder<unknown>) => sql`
    select workflow_jobs.id, workflow_jobs.run_id, workflow_jobs.repository_id, repository.owner_id,
      workflow_jobs.job_key, workflow_jobs.workflow_id, workflow_jobs.labels, workflow_jobs.queued_at
    from workflow_jobs cross join lateral (
      select repositories.owner_id from repositories
        join workflow_runs on workflow_runs.id = workflow_jobs.run_id and workflow_runs.owner_id = repositories.owner_id
      where repositories.id = workflow_jobs.repository_id and repositories.archived_at is null offset 0) repository
    where workflow_jobs.status = 'queued' and workflow_jobs.runner_group is null
      and lower(workflow_jobs.labels::text)::jsonb <@ ${labels}
      and workflow_jobs.id <> all (${[...held]}::bigint[]) and ${condition}
    order by workflow_jobs.queued_at, workflow_jobs.id limit ${limit}`
  if (repository_id !== null) return firstWhere(sql`workflow_jobs.repository_id = ${repository_id}`)
  if (owner_id !== null) {
    return sql`select first_jobs.* from repositories cross join lateral (
      ${firstWhere(sql`workflow_jobs.repository_id = repositories.id`)}) first_jobs
      where repositories.owner_id = ${owner_id} and repositories.run_count > 0`
  }
  // Jobs with labels that no runner has are skipped by their set of labels, not one by one.
  const isOf = (jobs: string) => sql`
    ${sql.ref(`${jobs}.status`)} = 'queued' and lower(coalesce(${sql.ref(`${jobs}.labels`)} ->> -1, '')) = label.value`
  const hasLabels = sql`lower(coalesce(workflow_jobs.labels ->> -1, '')) = label.value
    and md5(lower(workflow_jobs.labels::text)) = fitting.hash`
  return sql`select first_jobs.*
    from (select distinct value from jsonb_array_elements_text(${labels} || '""')) label
    cross join lateral (
      with recursive sets as (
        (select md5(lower(first.labels::text)) as hash, lower(first.labels::text)::jsonb as labels from workflow_jobs first
          where ${isOf('first')} order by md5(lower(first.labels::text)) limit 1)
        union all
        select following.* from sets cross join lateral (
          select md5(lower(next.labels::text)) as hash, lower(next.labels::text)::jsonb as labels from workflow_jobs next
            where ${isOf('next')} and md5(lower(next.labels::text)) > sets.hash
            order by md5(lower(next.labels::text)) limit 1
        ) following
      ) select hash from sets where labels <@ ${labels}) fitting
    cross join lateral (${firstWhere(hasLabels)}) first_jobs`
}

/** Number of queued jobs of a repository that need the same labels. */
export interface Demand {
  repository_id: number
  labels: string[]
  count: number
}

/** Counts the queued jobs of these repositories that a runner could take, grouped by the labels that they need. */
export async function countDemand(db: Db, repositoryIds: readonly number[]): Promise<Demand[]> {
  return await db
    .selectFrom('workflow_jobs')
    .select(({ fn }) => ['repository_id', 'labels', fn.countAll<number>().as('count')])
    .where('status', '=', 'queued')
    .where('runner_group', 'is', null)
    .where('repository_id', '=', anyOf(repositoryIds))
    .groupBy(['repository_id', 'labels'])
    .execute()
}
