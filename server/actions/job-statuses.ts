import { sql, type Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { StatusState } from '@/db/tables/commit-statuses'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { recordStatuses } from '@/server/statuses'
import { maxDescriptionLength } from '@/server/statuses/schema'
import { endTextOf } from './end-text'
import type { JobRow } from './job-store'

/** Fields of a job that its commit status shows. */
export type ReportedJob = Pick<
  JobRow,
  | 'id'
  | 'run_id'
  | 'name'
  | 'status'
  | 'conclusion'
  | 'started_at'
  | 'completed_at'
  | 'end_reason'
  | 'end_message'
>

// An index row holds a context of this many characters, and names of workflows and jobs are shorter.
const maxContextLength = 600

/** Reports the current status of jobs on the commits of their runs, in one statement. */
export async function reportJobs(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  repository: { id: number; owner_id: number },
  jobs: readonly ReportedJob[],
): Promise<void> {
  if (jobs.length === 0) return
  const rows = jobs.map((job, position) => {
    const { id, run_id, name } = job
    return { position, id, run_id, name, state: stateOf(job), description: descriptionOf(job) }
  })
  // The ID of a commit is missing in a run that was created with another text.
  await recordStatuses(
    trx,
    ctx,
    repository,
    sql`select job.position, run.sha, job.state, job.description, run.actor_id as creator_id, 'run'::text as source,
        left(coalesce(nullif(run.workflow_name, ''), run.workflow_path) || ' / ' || job.name || ' (' || run.event || ')',
          ${sql.lit(maxContextLength)}) collate "C" as context,
        'actions/runs/' || run.id || '/jobs/' || job.id as target_url,
        ${ctx.clock.now()}::timestamptz as created_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as job(position integer, id bigint, run_id bigint, name text, state text, description text)
      join workflow_runs run on run.id = job.run_id and run.sha ~ '^([0-9a-f]{40}|[0-9a-f]{64})$'`,
  )
}

function stateOf({ status, conclusion }: ReportedJob): StatusState {
  if (status !== 'completed') return 'pending'
  return conclusion === 'success' || conclusion === 'skipped' ? conclusion : 'failure'
}

// The texts of Gitea, which programs look for.
function descriptionOf(job: ReportedJob): string {
  if (job.status !== 'completed') return open[job.status]
  if (job.conclusion === 'cancelled') return 'Has been cancelled'
  if (job.conclusion === 'success') return `Successful in ${durationOf(job)}`
  if (job.conclusion !== 'failure') return 'Has been skipped'
  const why = job.started_at ? undefined : endTextOf(job)?.slice(0, maxDescriptionLength).toWellFormed()
  return why ?? `Failing after ${durationOf(job)}`
}

const open = {
  queued: 'Waiting to run',
  waiting: 'Blocked by required conditions',
  in_progress: 'Has started running',
} as const

/** Formats the time that a job took, such as `1h2m3s`. */
function durationOf({ started_at, completed_at }: ReportedJob): string {
  const ms = started_at && completed_at ? completed_at.getTime() - started_at.getTime() : 0
  const seconds = Math.max(Math.round(ms / 1000), 0)
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join('') || '0s'
}
