import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { endJobs, type RunChange } from './change-jobs'
import { changeRun, inRunQueue } from './change-run'
import { type JobRow, selectJobs, selectJobsById, updateJobs } from './job-store'
import { lockRun, type RunRow } from './store'
import { storable } from './workflow/expressions'

/** Job that waits for the reusable workflow that it calls. */
export interface WaitingCall {
  id: number
  run_id: number
  repository_id: number
  owner_id: number
}

const maxCalls = 100

/**
 * Selects jobs that wait for the reusable workflows that they call, in the order in which they were created,
 * without those that are to be tried again later.
 */
export function selectWaitingCalls(db: Db, after: number, now: Date): Promise<WaitingCall[]> {
  return db
    .selectFrom('workflow_jobs')
    .innerJoin('repositories', 'repositories.id', 'workflow_jobs.repository_id')
    .select([
      'workflow_jobs.id',
      'workflow_jobs.run_id',
      'workflow_jobs.repository_id',
      'repositories.owner_id',
    ])
    .where('hold', '=', 'call')
    .where(sql<boolean>`coalesce((call ->> 'retryAt')::timestamptz <= ${now}, true)`)
    .where('workflow_jobs.id', '>', after)
    .orderBy('workflow_jobs.id')
    .limit(maxCalls)
    .execute()
}

const minRetryMs = 5_000
const maxRetryMs = 10 * 60_000
/** Maximum number of times that a call is tried, within about an hour. */
export const maxTries = 12

/** Tries a call again later, after longer and longer pauses. The last time, the call fails with the message. */
export async function retryCall(ctx: ServiceCtx, waiting: WaitingCall, message: string): Promise<void> {
  const { id, run_id } = waiting
  const now = ctx.clock.now()
  const note = () =>
    withTransaction(ctx.db, async trx => {
      await lockRun(trx, run_id)
      const job = (await selectJobsById(trx, [id])).get(id)
      if (job?.hold !== 'call') return 0
      const tries = (job.call?.tries ?? 0) + 1
      const retryAt = new Date(now.getTime() + Math.min(minRetryMs * 2 ** (tries - 1), maxRetryMs))
      await updateJobs(trx, [id], { call: JSON.stringify({ ...job.call, tries, retryAt }) }, now)
      return tries
    })
  const tries = await inRunQueue(ctx.db, run_id, note)
  if (tries >= maxTries) await failCall(ctx, waiting, message)
}

/** Fails a call, with the reason. */
export async function failCall(ctx: ServiceCtx, waiting: WaitingCall, message: string): Promise<void> {
  await changeCall(ctx, waiting, (change, _, { job }) => endJobs(change, [job.id], failed(message)))
}

// Messages quote the call, which can be as long as the file.
const maxMessageLength = 1000

/** Returns how a call that failed ends. */
export const failed = (message: string) =>
  ({ conclusion: 'failure', reason: 'call', message: storable(message.slice(0, maxMessageLength)) }) as const

/** Call that still waits, in a transaction that changes it. */
export interface FoundCall {
  job: JobRow
  jobs: readonly JobRow[]
  /** Other runs that the change has changed. */
  touched: Set<number>
  /** Jobs that the change has inserted without recording an event. */
  unrecorded: Set<number>
}

/**
 * Changes the run of a call in one transaction, unless the call does not wait any more.
 * @throws {DomainError} as `changeRun`.
 */
export async function changeCall(
  ctx: ServiceCtx,
  { id, run_id, repository_id, owner_id }: WaitingCall,
  work: (change: RunChange, run: RunRow, found: FoundCall) => Promise<void>,
): Promise<void> {
  const repository = { id: repository_id, owner_id }
  await changeRun(ctx, { repository, run: { id: run_id } }, async (trx, run, now, changed) => {
    const jobs = await selectJobs(trx, run.id, run.attempt)
    const job = jobs.find(each => each.id === id)
    if (job?.hold === 'call') await work({ trx, ctx, repository, now }, run, { job, jobs, ...changed })
  })
}
