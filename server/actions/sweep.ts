import type { ServiceCtx } from '@/server/kernel/ctx'
import { defineJob } from '@/server/kernel/jobs'
import { cancelJobs, silentMs } from './cancel-jobs'
import { endJobs, type JobEnd, type RunChange } from './change-jobs'
import { changeRun } from './change-run'
import { endTask, giveBack } from './end-task'
import { lockOpenTasks, lockTask, selectJobs } from './job-store'
import { lockRun } from './store'
import {
  findHearing,
  type Overdue,
  type OverdueTask,
  selectEndless,
  selectOverdueTasks,
  selectUnclaimed,
  selectUnclaimedOf,
} from './sweep-store'
import { isDeleted } from './tasks'

const minuteMs = 60_000
const unacknowledgedMs = 2 * minuteMs
const stoppingMs = 5 * minuteMs
const zombieMs = 10 * minuteMs
const endlessMs = 3 * 60 * minuteMs
const unclaimedMs = 24 * 60 * minuteMs
const runMs = 35 * 24 * 60 * minuteMs

/**
 * Sweeps tasks every minute. Time in which runners could not report, because this process or the connection
 * to it was down, does not count as silence.
 */
export const sweepTasksJob = defineJob({
  name: 'actions.sweepTasks',
  run: async (ctx, signal) => {
    const startedAt = new Date(ctx.clock.now().getTime() - process.uptime() * 1000)
    const deaf = await noteHearing(ctx)
    return await sweepTasks(ctx, { signal, startedAt: deaf > startedAt ? deaf : startedAt })
  },
})

const maxDeafMs = 30 * minuteMs
let deafUntil = new Date(0)

/**
 * Returns the last time at which no process had heard from any of several busy runners for more than a
 * minute, as far as this process noticed. The cause is then assumed to lie between the runners and this site,
 * for at most half an hour.
 */
export async function noteHearing({ db, clock }: ServiceCtx): Promise<Date> {
  const now = clock.now()
  const { busy, heardAt } = await findHearing(db)
  const unheardMs = now.getTime() - (heardAt ?? now).getTime()
  if (busy > 1 && unheardMs > silentMs && unheardMs < maxDeafMs) deafUntil = now
  return deafUntil
}

/**
 * Ends tasks whose end no runner will report, cancels jobs that no runner takes within a day, and cancels runs
 * that take longer than 35 days. A task ends if its token has expired, if it runs for more than three hours, if
 * its runner is silent for ten minutes, or, after a cancellation, if the runner is silent for one minute or takes
 * more than five to stop. The job of a task that its runner never reported about returns to the queue: after two
 * minutes if the runner has called since, which shows that it does not know the task, otherwise after ten.
 * @throws {Error} once all others are handled, if one of them could not be ended.
 */
export async function sweepTasks(
  ctx: ServiceCtx,
  { signal, startedAt }: { signal: AbortSignal; startedAt: Date },
): Promise<{ swept: number }> {
  const now = ctx.clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const found = {
    tasks: await selectOverdueTasks(ctx.db, {
      now,
      silent: before(silentMs),
      stopping: before(stoppingMs),
      unacknowledged: before(unacknowledgedMs),
      zombie: before(zombieMs),
      endless: before(endlessMs),
    }),
    unclaimed: await selectUnclaimed(ctx.db, before(unclaimedMs)),
    endless: await selectEndless(ctx.db, before(runMs)),
  }
  let swept = 0
  const failures: unknown[] = []
  const sweep = async (overdue: Overdue, work: (change: RunChange) => Promise<void>) => {
    if (signal.aborted) return
    const target = {
      repository: { id: overdue.repository_id, owner_id: overdue.owner_id },
      run: { id: overdue.run_id },
    }
    await changeRun(ctx, target, (trx, _, now) =>
      work({ trx, ctx, repository: target.repository, now }),
    ).then(
      () => swept++,
      error => {
        if (isDeleted(error)) return
        ctx.log.error({ err: error, run: overdue.run_id }, 'the jobs of a run could not be ended')
        failures.push(error)
      },
    )
  }
  for (const overdue of found.tasks) {
    if (!endOf(overdue, now, startedAt)) continue
    await sweep(overdue, async change => {
      const task = await lockTask(change.trx, overdue.repository_id, overdue.id)
      const end = task && endOf({ ...overdue, ...task }, change.now, startedAt)
      if (!end) return
      if (end === 'back') await giveBack(change, task)
      else await endTask(change, task, end)
    })
  }
  for (const overdue of found.unclaimed) {
    await sweep(overdue, async change => {
      const jobs = await selectUnclaimedOf(change.trx, overdue.run_id, before(unclaimedMs))
      await endJobs(change, jobs, { conclusion: 'cancelled', reason: 'not_taken' })
    })
  }
  for (const overdue of found.endless) {
    await sweep(overdue, async change => {
      const run = await lockRun(change.trx, overdue.run_id)
      const jobs = run ? await selectJobs(change.trx, run.id, run.attempt) : []
      const open = jobs.filter(({ status, called_id }) => status !== 'completed' && called_id === null)
      const tasks = await lockOpenTasks(change.trx, overdue.run_id)
      await cancelJobs(change, open, tasks, { reason: 'too_long' })
    })
  }
  if (failures.length > 0) throw new AggregateError(failures, 'jobs could not be ended')
  return { swept }
}

function endOf(task: OverdueTask, now: Date, startedAt: Date): JobEnd | 'back' | undefined {
  if (task.status === 'ended') return undefined
  const since = (time: Date) => now.getTime() - time.getTime()
  const silentSince = (time: Date) => since(time < startedAt ? startedAt : time)
  const isCanceling = task.status === 'cancelling'
  const end = (reason: JobEnd['reason']): JobEnd =>
    isCanceling ? { conclusion: 'cancelled', reason: 'cancelled' } : { conclusion: 'failure', reason }
  if (since(task.expires_at) > 0) return end('too_long')
  if (task.runner_id === null && task.runner_name === '') return undefined
  if (isCanceling) {
    const stoppingFor = since(task.cancelled_at ?? task.reported_at)
    const isSilent = silentSince(task.reported_at) > silentMs && stoppingFor > silentMs
    return isSilent || stoppingFor > stoppingMs ? end('cancelled') : undefined
  }
  if (since(task.started_at) > endlessMs) return end('too_long')
  if (!task.acknowledged_at) {
    const hasCalled = task.last_online_at !== null && task.last_online_at > task.started_at
    return silentSince(task.started_at) > (hasCalled ? unacknowledgedMs : zombieMs) ? 'back' : undefined
  }
  return silentSince(task.reported_at) > zombieMs ? end('runner_silent') : undefined
}
