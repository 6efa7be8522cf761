import type { ServiceCtx } from '@/server/kernel/ctx'
import { conflict } from '@/server/kernel/errors'
import { changeJobs, type RunChange } from './change-jobs'
import { changeRun } from './change-run'
import { type JobRow, selectJobs, selectOpenTasks, type TaskRow, updateTask } from './job-store'
import type { RunFor } from './load'
import { endTask } from './tasks'

/** A runner that was silent for so long is not waited for. */
export const silentMs = 60_000

/**
 * Cancels a run: jobs that have not begun end, and runners are asked to stop their tasks. A task ends at once if its
 * runner cannot be asked, or is silent. Jobs whose condition asks for `always()` or `cancelled()` go on, as on GitHub;
 * cancelling the run again, when only those are left, ends them too.
 * @throws {DomainError} conflict if the run has completed; notFound if it is deleted concurrently.
 */
export async function cancelRun(ctx: ServiceCtx, found: RunFor<'write'>): Promise<void> {
  await changeRun(ctx, found, async (trx, run, now) => {
    if (run.status === 'completed') throw conflict('The run has completed already.')
    const open = (await selectJobs(trx, run.id, run.attempt)).filter(({ status }) => status !== 'completed')
    const tasks = new Map((await selectOpenTasks(trx, run.id)).map(task => [task.job_id, task]))
    const isCancelling = ({ id }: JobRow) => tasks.get(id)?.status === 'cancelling'
    const left = open.filter(job => !isCancelling(job))
    const usual = left.filter(job => !goesOn(job))
    const cancelled = usual.length > 0 ? usual : left
    const notBegun = cancelled.filter(({ status }) => status !== 'in_progress').map(({ id }) => id)
    const end = {
      status: 'completed',
      conclusion: 'cancelled',
      completed_at: now,
      end_reason: 'cancelled',
    } as const
    const change = { trx, ctx, repository: found.repository, now }
    await changeJobs(change, notBegun, end)
    for (const { id } of cancelled) {
      const task = tasks.get(id)
      if (task) await cancelTask(change, task)
    }
  })
}

// It may do more, but then its condition is not met once it is evaluated.
const goesOn = ({ condition }: JobRow): boolean => /\b(always|cancelled)\s*\(/i.test(condition)

async function cancelTask(change: RunChange, task: TaskRow): Promise<void> {
  const { trx, now } = change
  const isHeard = now.getTime() - task.reported_at.getTime() < silentMs
  if (task.runner_id !== null && task.can_cancel && isHeard) {
    await updateTask(trx, task.id, { status: 'cancelling', cancelled_at: now })
  } else {
    await endTask(change, task, { conclusion: 'cancelled', reason: 'cancelled' })
  }
}
