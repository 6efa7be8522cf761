import type { Insertable, Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { WorkflowJobsTable } from '@/db/tables/workflow-jobs'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { actingAccount, involvedAccounts } from '@/server/kernel/caller'
import { createQueues } from '@/server/kernel/concurrency-limit'
import type { ActingCtx, ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { mapForeignKeyError } from '@/server/users'
import { aboutRun, announceRun, recordJobs, recordProgress } from './announce'
import { evaluateLater, hasLater } from './evaluate-later'
import { insertJobs, type JobRow, selectJobs } from './job-store'
import type { ActionsFor } from './load'
import { requireRunnable } from './policy'
import { callsWorkflow, plansGroups, type RunPlan } from './run-plan'
import { settleRuns } from './settle-runs'
import { progressOf } from './status'
import { findRun, insertRun, lockAccounts, type RunRow, takeRunId, takeRunNumber } from './store'
import type { NewJob } from './workflow/first-jobs'
import { expressionsOfJob } from './workflow/template'

/** Repository in which a run starts, and the person who starts it. */
export interface RunTarget {
  /** Repository with the owner that it had when the caller's permission was checked. */
  repository: { id: number; owner_id: number }
  actorId: number | null
}

// Number of callers that can wait for a run number without holding a database connection.
const queues = createQueues({ maxQueue: 1000 })

/**
 * Runs a transaction that starts runs of a repository after those that were submitted earlier.
 * @throws {DomainError} notFound if a referenced row is deleted concurrently; tooManyRequests if too many are
 * waiting.
 */
export async function oneAtATime<T>(repositoryId: number, start: () => Promise<T>): Promise<T> {
  return await queues(repositoryId, start).catch(error => {
    throw mapForeignKeyError(error)
  })
}

/**
 * Starts a run with its first attempt.
 * @throws {DomainError} forbidden if the repository is archived or actions are turned off there; notFound if
 * it is deleted or transferred concurrently; tooManyRequests if too many runs are starting there.
 */
export async function startRun(
  ctx: ActingCtx,
  { repository }: ActionsFor<'write'>,
  plan: RunPlan,
): Promise<{ run: RunRow; jobs: JobRow[] }> {
  const actorId = actingAccount(ctx.caller)?.id ?? null
  return await oneAtATime(repository.id, () =>
    withTransaction(ctx.db, async trx => {
      await lockAccounts(trx, [repository.owner_id, ...involvedAccounts(ctx.caller)])
      return await insertNewRun(trx, ctx, { repository, actorId }, plan)
    }),
  )
}

/**
 * Inserts a run with its first attempt. Run numbers of a repository have no gaps, however many runs start at
 * the same time. The accounts that the run refers to must be locked.
 * @throws {DomainError} forbidden if the repository is archived or actions are turned off there; notFound if
 * it is deleted or transferred concurrently.
 */
export async function insertNewRun(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  { repository, actorId }: RunTarget,
  planned: RunPlan,
): Promise<{ run: RunRow; jobs: JobRow[] }> {
  const now = ctx.clock.now()
  const numbered = await takeRunNumber(trx, repository)
  if (!numbered) throw deleted('repository')
  requireRunnable(numbered)
  const number = numbered.last_run_number
  const id = hasLater(planned) ? await takeRunId(trx) : undefined
  const plan = id === undefined ? planned : evaluateLater(planned, { id, number })
  const run = await insertRun(trx, {
    ...(id !== undefined && { id }),
    ...columnsOf(plan, now),
    repository_id: repository.id,
    owner_id: numbered.owner_id,
    number,
    actor_id: actorId,
    created_at: now,
    updated_at: now,
  })
  await recordEvent(trx, originOf(ctx), { kind: 'run.created', ...aboutRun(repository, run) })
  const inserted = await insertJobs(
    trx,
    plan.jobs.map(job => jobOf(run, job, now)),
  )
  // Jobs that can start are recorded when they are released below.
  const free = freeJobs(plan.jobs)
  const isFree = ({ position }: JobRow): boolean => free.has(position)
  await recordJobs(
    trx,
    ctx,
    repository,
    inserted.filter(job => !isFree(job)),
  )
  const before = { started_at: null, conclusion: null }
  await recordProgress(trx, ctx, repository, { before, after: run })
  announceRun(trx, run)
  if (free.size === 0) return { run, jobs: inserted }
  const unrecorded = new Set(inserted.filter(isFree).map(({ id }) => id))
  await settleRuns({ trx, ctx, repository, now, unrecorded }, [run.id])
  const settled = (await findRun(trx, repository.id, run.id)) ?? run
  return { run: settled, jobs: await selectJobs(trx, run.id, run.attempt) }
}

/** Returns the positions of the jobs that wait although everything that they need has completed. */
function freeJobs(jobs: readonly NewJob[]): Set<number> {
  const open = new Set(jobs.filter(({ status }) => status !== 'completed').map(({ job_key }) => job_key))
  const free = jobs.filter(
    ({ status, hold, needs }) => status === 'waiting' && !hold && !needs.some(key => open.has(key)),
  )
  return new Set(free.map(({ position }) => position))
}

function columnsOf(
  {
    jobs,
    payload = {},
    inputs = {},
    vars = {},
    warnings = [],
    concurrency = null,
    later = {},
    ...plan
  }: RunPlan,
  now: Date,
) {
  // What a reusable workflow reads is not known yet.
  const readsVars = jobs.some(
    job =>
      callsWorkflow(job) ||
      /\bvars\b/i.test(`${job.condition}\n${job.template ? expressionsOfJob(job.template) : ''}`),
  )
  return {
    ...plan,
    context: JSON.stringify(plan.context),
    payload: JSON.stringify(payload),
    inputs: JSON.stringify(inputs),
    warnings: JSON.stringify(warnings),
    vars: JSON.stringify(readsVars ? vars : {}),
    concurrency: concurrency && JSON.stringify(concurrency),
    uses_groups: plansGroups({ jobs, concurrency, later }),
    ...(plan.error
      ? { status: 'completed' as const, conclusion: 'failure' as const, completed_at: now }
      : progressOf(jobs, now)),
  }
}

/** Returns the row of a job in the latest attempt of a run. */
export function jobOf(run: RunRow, job: NewJob, now: Date): Insertable<WorkflowJobsTable> {
  return {
    ...job,
    matrix: job.matrix && JSON.stringify(job.matrix),
    permissions: job.permissions && JSON.stringify(job.permissions),
    needs: JSON.stringify(job.needs),
    labels: JSON.stringify(job.labels),
    template: job.template && JSON.stringify(job.template),
    concurrency: job.concurrency && JSON.stringify(job.concurrency),
    call: job.call && JSON.stringify(job.call),
    run_id: run.id,
    repository_id: run.repository_id,
    attempt: run.attempt,
    created_at: now,
    updated_at: now,
    completed_at: job.status === 'completed' ? now : null,
    queued_at: job.status === 'queued' ? now : null,
  }
}
