import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { JobRow } from '@/server/actions'
import { type RunnerRow, runnerColumns } from '../store'
import { takesJobsOf } from './store'

/** Runner that could be assigned jobs of a repository. */
export interface Candidate extends RunnerRow {
  /** Whether the runner is running a job, or is ephemeral and has already had its only one. */
  is_claimed: boolean
}

const maxCandidates = 1000

/**
 * Selects the runners of a repository, its owner and the site: those with all these labels first, then the
 * most recently connected.
 */
export function selectCandidates(
  db: Db,
  repository: { id: number; owner_id: number },
  labels: readonly string[],
): Promise<Candidate[]> {
  const wanted = sql`lower(${JSON.stringify(labels)})::jsonb`
  return db
    .selectFrom('runners')
    .select(runnerColumns)
    .select(
      // Two separate conditions, so that each uses an index even if a runner has had very many tasks.
      sql<boolean>`(exists (select from workflow_tasks where workflow_tasks.runner_id = runners.id
          and workflow_tasks.status <> 'ended')
        or (runners.is_ephemeral and exists (select from workflow_tasks
          where workflow_tasks.runner_id = runners.id)))`.as('is_claimed'),
    )
    .where(takesJobsOf(repository))
    .orderBy(sql`lower(runners.labels::text)::jsonb @> ${wanted}`, 'desc')
    .orderBy('last_online_at', order => order.desc().nullsLast())
    .orderBy('id')
    .limit(maxCandidates)
    .execute()
}

/** Selects the IDs, in the workflow, of the jobs that a job needs and that have not completed. */
export async function selectOpenNeeds(
  db: Db,
  { run_id, needs, parent_position }: Pick<JobRow, 'run_id' | 'needs' | 'parent_position'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('workflow_jobs')
    .select('job_key')
    .distinct()
    .where('run_id', '=', run_id)
    .where('parent_position', 'is not distinct from', parent_position)
    .where('status', '<>', 'completed')
    .where('job_key', '=', sql<string>`any (${[...needs]}::text[])`)
    .orderBy('job_key')
    .execute()
  return rows.map(({ job_key }) => job_key)
}
