import type { Db } from '@/db/client'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import { type JobRow, selectJobs } from './job-store'
import { type Outputs, outputsByKey } from './outputs'
import { resultsOf, scopedKey } from './status'
import { type RunRow, runColumns } from './store'

/** Data that the tasks of a run are built from, with the current names of its repository and owner. */
export interface RunSource {
  run: RunRow
  /** Workflow as YAML. */
  document: string
  payload: Record<string, unknown>
  repository: { id: number; name: string; owner_id: number }
  owner: { name: string }
  /** Username of the person who started the latest attempt; empty if the account was deleted. */
  startedBy: string
}

/**
 * Finds the data that the tasks of a run are built from; undefined if the run was deleted or the owner of its
 * repository changed.
 */
export async function findRunSource(db: Db, runId: number): Promise<RunSource | undefined> {
  const row = await db
    .selectFrom('workflow_runs')
    .innerJoin('repositories', join =>
      join
        .onRef('repositories.id', '=', 'workflow_runs.repository_id')
        .onRef('repositories.owner_id', '=', 'workflow_runs.owner_id'),
    )
    .innerJoin('users as owner', 'owner.id', 'repositories.owner_id')
    .innerJoin('workflow_run_attempts', join =>
      join
        .onRef('workflow_run_attempts.run_id', '=', 'workflow_runs.id')
        .onRef('workflow_run_attempts.number', '=', 'workflow_runs.attempt'),
    )
    .leftJoin('users as starter', 'starter.id', 'workflow_run_attempts.actor_id')
    .select([
      ...runColumns,
      'workflow_runs.document',
      'workflow_runs.payload',
      'repositories.name as repository_name',
      'owner.name as owner_name',
      'starter.name as starter_name',
    ])
    .where('workflow_runs.id', '=', runId)
    .executeTakeFirst()
  if (!row) return undefined
  const { document, payload, repository_name: name, owner_name, starter_name, ...run } = row
  return {
    run,
    document,
    payload,
    repository: { id: run.repository_id, name, owner_id: run.owner_id },
    owner: { name: owner_name },
    startedBy: starter_name ?? '',
  }
}

/** Outcome of a job that another job needs. */
export interface Need {
  result: RunConclusion
  outputs: Outputs
}

/** Returns the outcomes of the jobs that a job needs, by job ID in the workflow. */
export async function findNeeds(db: Db, job: JobRow): Promise<Record<string, Need>> {
  const { run_id, attempt, needs, parent_position } = job
  if (needs.length === 0) return {}
  const jobs = (await selectJobs(db, run_id, attempt)).filter(
    one => one.parent_position === parent_position && needs.includes(one.job_key),
  )
  const results = resultsOf(jobs)
  const outputs = await outputsByKey(
    db,
    jobs.map(({ id }) => id),
  )
  return Object.fromEntries(
    needs.map(key => {
      const scoped = scopedKey(job, key)
      return [key, { result: results.get(scoped) ?? 'skipped', outputs: outputs.get(scoped) ?? {} }]
    }),
  )
}
