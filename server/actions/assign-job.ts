import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { announceRun, recordProgress } from './announce'
import { beginTask } from './begin-task'
import { inRunTurn } from './change-run'
import { findJob, type JobRow, type TaskRow } from './job-store'
import { newStep } from './report'
import { lockPlace, lockRun, updateProgress } from './store'

/** A job in the queue, with the place it belongs to. */
export interface QueuedJob {
  id: number
  run_id: number
  repository_id: number
  owner_id: number
}

/** A runner that a job is given to. */
export interface Taker {
  id: number
  name: string
  /** Whether it can be asked to stop, and then still reports how the task ended. */
  canCancel: boolean
  /** The names of the job's steps. */
  steps: readonly string[]
}

type Assigned = { task: TaskRow; job: JobRow } | 'refused' | undefined

/**
 * Gives a job to a runner: the job is taken and the task made in one transaction. `admit` locks the runner and decides in
 * this transaction whether it may take the job; `refused` is for one that may not. It is undefined if the job is not
 * queued anymore, or its repository is archived.
 */
export async function assignJob(
  ctx: ServiceCtx,
  { id, run_id, repository_id, owner_id }: QueuedJob,
  admit: (trx: Transaction<Database>) => Promise<Taker | undefined>,
): Promise<Assigned> {
  const work = () =>
    withTransaction(ctx.db, async (trx): Promise<Assigned> => {
      const repository = { id: repository_id, owner_id }
      const place = await lockPlace(trx, repository, [])
      if (!place || place.archived_at) return undefined
      const run = await lockRun(trx, run_id)
      const job = run && (await findJob(trx, repository_id, id))
      if (!run || job?.status !== 'queued') return undefined
      const taker = await admit(trx)
      if (!taker) return 'refused'
      const now = ctx.clock.now()
      const task = await beginTask({ trx, ctx, repository, now }, job, {
        runner_id: taker.id,
        runner_name: taker.name,
        can_cancel: taker.canCancel,
        steps: JSON.stringify(taker.steps.map(newStep)),
      })
      if (run.status !== 'in_progress') {
        const progress = {
          status: 'in_progress',
          conclusion: null,
          started_at: run.started_at ?? now,
        } as const
        const after = await updateProgress(trx, run, { ...progress, completed_at: null }, now)
        await recordProgress(trx, ctx, repository, { before: run, after })
      }
      announceRun(trx, run)
      return { task, job }
    })
  return await inRunTurn(ctx.db, run_id, work)
}
