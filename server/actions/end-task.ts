import type { StoredStep } from '@/db/tables/workflow-jobs'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import { originOf, recordEvent } from '@/server/events'
import { announceRunners } from './announce'
import { changeJobs, endJobs, type JobEnd, type RunChange } from './change-jobs'
import { deleteTask, retireEphemeral, type TaskRow, updateTask } from './job-store'

/**
 * Ends an open task and completes its job. If the runner is ephemeral, it is retired. Must be called within
 * `changeRun`, which then updates the run.
 */
export async function endTask(
  change: RunChange,
  { id, job_id, runner_id, steps }: TaskRow,
  end: JobEnd,
): Promise<TaskRow> {
  const { trx, now } = change
  await endJobs(change, [job_id], end)
  if (runner_id !== null) {
    await retireRunner(change, runner_id)
    await announceRunners(trx, [runner_id])
  }
  return await updateTask(trx, id, {
    status: 'ended',
    ended_at: now,
    steps: JSON.stringify(steps.map(step => endedStep(step, end.conclusion, now))),
  })
}

// An ephemeral runner is deleted with its job, but can repeat its reports for an hour.
async function retireRunner({ trx, ctx, repository, now }: RunChange, id: number): Promise<void> {
  const runner = await retireEphemeral(trx, id, now)
  if (!runner) return
  const { name, owner_id, repository_id: repositoryId } = runner
  const ownerId = repositoryId === null ? owner_id : repository.owner_id
  const facts = { runnerId: id, name, repositoryId }
  await recordEvent(trx, originOf(ctx), { kind: 'runner.deleted', ownerId, facts })
}

/**
 * Puts a job back into the queue at its former place and deletes its task, which the runner never reported
 * about.
 */
export async function giveBack(change: RunChange, { id, job_id }: TaskRow): Promise<void> {
  await deleteTask(change.trx, id)
  await changeJobs(change, [job_id], { status: 'queued', started_at: null })
}

// Completes a step whose end was never reported.
function endedStep(step: StoredStep, conclusion: RunConclusion, now: Date): StoredStep {
  if (step.status === 'completed') return step
  if (step.status === 'queued') return { ...step, status: 'completed', conclusion: 'skipped' }
  return { ...step, status: 'completed', conclusion, completed_at: now.toISOString() }
}
