import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { StoredStep } from '@/db/tables/workflow-jobs'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { announceRun } from './announce'
import { changeRun, inRunQueue } from './change-run'
import { endTask } from './end-task'
import { findReportedTask, lockTask, type ReportedTask, updateOpenTask } from './job-store'
import { type Outputs, storeOutputs } from './outputs'
import { lockRun, type RunRow } from './store'
import { isDeleted } from './tasks'

/** Complete state of a task as reported by its runner. */
export interface TaskReport {
  taskId: number
  /** Null until the task has ended. */
  conclusion: RunConclusion | null
  steps: readonly StepReport[]
  /** Outputs of the job. Runners send each output until it is confirmed. */
  outputs: Outputs
}

export interface StepReport {
  /** Position of the step in its job, from 0. */
  id: number
  conclusion: RunConclusion | null
  startedAt: Date | null
  completedAt: Date | null
  logIndex: number
  logLength: number
}

export interface ReportAnswer {
  /** Unless null, the runner stops the task if it has not ended it itself. */
  conclusion: RunConclusion | null
  /** Names of outputs that the runner need not send again, because they were stored or refused. */
  sentOutputs: string[]
}

// A report without news is stored only if the last one is at least this old.
const heartbeatMs = 2_000
const maxSteps = 1000

/**
 * Handles a runner's report about its task. The first report acknowledges the task; one with a conclusion
 * ends it and can be repeated. For a task that does not exist, the response is `cancelled`, because nothing
 * else makes the runner stop. For another runner's task it is the same, so that the two cases cannot be told
 * apart. Nothing is stored in either case.
 * @returns the conclusion and the names of the outputs to confirm
 */
export async function reportTask(
  ctx: ServiceCtx,
  runnerId: number,
  report: TaskReport,
): Promise<ReportAnswer> {
  const task = await findReportedTask(ctx.db, report.taskId)
  const reportedKeys = Object.keys(report.outputs)
  if (task?.runner_id !== runnerId) return { conclusion: 'cancelled', sentOutputs: reportedKeys }
  const sentOutputs = [...new Set([...task.outputs, ...reportedKeys])]
  if (task.status === 'ended') return { conclusion: task.conclusion ?? 'cancelled', sentOutputs }
  if (report.conclusion) return { conclusion: await finish(ctx, task, report), sentOutputs }
  return { conclusion: await noteProgress(ctx, task, report), sentOutputs }
}

async function finish(ctx: ServiceCtx, task: ReportedTask, report: TaskReport): Promise<RunConclusion> {
  const { id, run_id, repository_id, owner_id, uses_groups } = task
  const target = { repository: { id: repository_id, owner_id }, run: { id: run_id, uses_groups } }
  try {
    return await changeRun(ctx, target, async (trx, run, now) => {
      const current = await lockTask(trx, repository_id, id)
      if (!current) return 'cancelled'
      // The task ended concurrently, so the stored conclusion is returned.
      if (current.status === 'ended') return (await findReportedTask(trx, id))?.conclusion ?? 'cancelled'
      await storeNews(trx, run, task, report)
      const conclusion = current.status === 'cancelling' ? 'cancelled' : (report.conclusion ?? 'failure')
      const steps = stepsAfter(current.steps, report.steps)
      await endTask({ trx, ctx, repository: target.repository, now }, { ...current, steps }, { conclusion })
      return conclusion
    })
  } catch (error) {
    if (isDeleted(error)) return 'cancelled'
    throw error
  }
}

async function noteProgress(
  ctx: ServiceCtx,
  task: ReportedTask,
  report: TaskReport,
): Promise<RunConclusion | null> {
  const answer = task.status === 'cancelling' ? 'cancelled' : null
  const now = ctx.clock.now()
  const steps = stepsAfter(task.steps, report.steps)
  const hasNews = !isDeepStrictEqual(steps, task.steps)
  const isNew = Object.keys(report.outputs).some(name => !task.outputs.includes(name))
  const isDue = now.getTime() - task.reported_at.getTime() >= heartbeatMs
  if (task.acknowledged_at && !hasNews && !isNew && !isDue) return answer
  const note = () =>
    withTransaction(ctx.db, async trx => {
      if (isNew) {
        const run = await lockRun(trx, task.run_id)
        if (!run) return 'cancelled'
        await storeNews(trx, run, task, report)
      }
      await updateOpenTask(trx, task.id, { steps: hasNews ? steps : undefined, now })
      if (hasNews || !task.acknowledged_at)
        announceRun(trx, { id: task.run_id, repository_id: task.repository_id })
      return answer
    })
  return await (isNew ? inRunQueue(ctx.db, task.run_id, note) : note())
}

async function storeNews(
  trx: Transaction<Database>,
  run: RunRow,
  task: ReportedTask,
  { outputs }: TaskReport,
): Promise<void> {
  const isKnown = new Set(task.outputs)
  const added = Object.entries(outputs).filter(([name]) => !isKnown.has(name))
  if (added.length > 0) await storeOutputs(trx, run, task.job_id, Object.fromEntries(added))
}

/** Returns the steps after a report. Reports contain no names, so the names from the workflow are kept. */
function stepsAfter(steps: readonly StoredStep[], reports: readonly StepReport[]): StoredStep[] {
  const after = [...steps]
  for (const report of reports) {
    if (!Number.isInteger(report.id) || report.id < 0 || report.id >= maxSteps) continue
    for (let id = after.length; id <= report.id; id++) after.push(newStep(`Step ${id + 1}`))
    const { conclusion, startedAt, completedAt, logIndex, logLength } = report
    after[report.id] = {
      name: after[report.id]?.name ?? '',
      status: conclusion ? 'completed' : startedAt ? 'in_progress' : 'queued',
      conclusion,
      started_at: startedAt?.toISOString() ?? null,
      completed_at: completedAt?.toISOString() ?? null,
      log_index: logIndex,
      log_length: logLength,
    }
  }
  return after
}

/** Returns a step that has not started. */
export const newStep = (name: string): StoredStep => ({
  name,
  status: 'queued',
  conclusion: null,
  started_at: null,
  completed_at: null,
  log_index: 0,
  log_length: 0,
})
