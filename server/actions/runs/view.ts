import { wireTime } from '@/server/kernel/wire'
import { endTextOf } from '../end-text'
import type { JobRow, TaskRow } from '../job-store'
import type { AttemptRow, RunRow } from '../store'
import { hasUnknownLabels } from '../workflow/resolve-job'
import type { Progress, ShownAttempt, ShownJob, ShownRun, ShownTask } from './schema'

/** Account names by ID. Deleted accounts are absent. */
export type Actors = ReadonlyMap<number, { name: string }>

export function viewShownRun(run: RunRow, actors: Actors): ShownRun {
  return {
    id: run.id,
    number: run.number,
    title: run.title,
    workflow_name: run.workflow_name,
    workflow_path: run.workflow_path,
    event: run.event,
    ref: run.ref,
    sha: run.sha,
    attempt: run.attempt,
    actor: viewActor(run.actor_id, actors),
    artifact_count: run.artifact_count,
    error: run.error,
    warnings: run.warnings,
    ...viewProgress(run),
  }
}

export function viewShownAttempt(attempt: AttemptRow, actors: Actors): ShownAttempt {
  return {
    number: attempt.number,
    actor: viewActor(attempt.actor_id, actors),
    ...viewProgress(attempt),
  }
}

/** Converts the jobs of an attempt, each call of a reusable workflow directly followed by its jobs. */
export function viewShownJobs(jobs: readonly JobRow[]): ShownJob[] {
  const viewOf = (workflow: number | null, depth: number): ShownJob[] =>
    jobs
      .filter(({ workflow_id }) => workflow_id === workflow)
      .flatMap(job => [
        viewShownJob(job, depth),
        ...(job.called_id === null ? [] : viewOf(job.called_id, depth + 1)),
      ])
  return viewOf(null, 0)
}

export function viewShownJob(job: JobRow, depth = 0): ShownJob {
  const isUnknown = hasUnknownLabels(job)
  const isOver = job.status === 'completed'
  return {
    id: job.id,
    key: job.job_key,
    name: job.name,
    attempt: job.attempt,
    needs: job.needs,
    labels: isUnknown && isOver ? [] : job.labels,
    end_reason: isOver ? job.end_reason : null,
    end_text: endTextOf(job) ?? null,
    has_unknown_labels: isUnknown && !isOver,
    runner_group: job.runner_group,
    concurrency: job.concurrency?.name ?? null,
    hold: job.hold,
    workflow: job.workflow_id,
    depth,
    uses: job.call?.uses ?? null,
    called: job.called_id,
    ...viewProgress(job),
  }
}

export function viewShownTask(task: TaskRow): ShownTask {
  return {
    id: task.id,
    status: task.status,
    runner_name: task.runner_name,
    started_at: wireTime(task.started_at),
    ended_at: task.ended_at && wireTime(task.ended_at),
    steps: task.steps,
    log_rows: task.log_rows,
  }
}

function viewActor(id: number | null, actors: Actors): ShownRun['actor'] {
  const actor = id === null ? undefined : actors.get(id)
  return id === null || !actor ? null : { id, login: actor.name }
}

interface ProgressRow extends Pick<Progress, 'status' | 'conclusion'> {
  created_at: Date
  started_at: Date | null
  completed_at: Date | null
}

const viewProgress = ({
  status,
  conclusion,
  created_at,
  started_at,
  completed_at,
}: ProgressRow): Progress => ({
  status,
  conclusion,
  created_at: wireTime(created_at),
  started_at: started_at && wireTime(started_at),
  completed_at: completed_at && wireTime(completed_at),
})
