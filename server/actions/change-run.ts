import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { involvedAccounts } from '@/server/kernel/caller'
import { createQueues } from '@/server/kernel/concurrency-limit'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { createPauses } from '@/server/kernel/pauses'
import type { RepositoryRow } from '@/server/repos'
import { mapForeignKeyError } from '@/server/users'
import { announceRun, recordJobs, recordProgress } from './announce'
import { createConditions } from './evaluate-conditions'
import { findOpenStatus, type JobRow, selectJobs, updateJobs } from './job-store'
import { releaseInRounds } from './release'
import { progressOf } from './status'
import { type LockedOwners, lockOwnersOf, lockRun, type RunRow, updateProgress } from './store'
import { withInputs } from './unread-inputs'

/**
 * Changes jobs or tasks of a run in one transaction, then releases the jobs that waited for them and updates
 * the run's status.
 * @throws {DomainError} notFound if the run is deleted or its repository transferred concurrently.
 */
export async function changeRun<T>(
  ctx: ServiceCtx,
  { repository, run: { id } }: { repository: Pick<RepositoryRow, 'id' | 'owner_id'>; run: { id: number } },
  change: (trx: Transaction<Database>, run: RunRow, now: Date, locked: LockedOwners) => Promise<T>,
): Promise<T> {
  const work = () =>
    withTransaction(ctx.db, async trx => {
      const locked = await lockOwnersOf(trx, repository, involvedAccounts(ctx.caller))
      const run = await lockRun(trx, id)
      if (!locked || !run) throw deleted('run')
      const now = ctx.clock.now()
      const result = await change(trx, run, now, locked)
      const changed = (await lockRun(trx, id)) ?? run
      const { after, released } = await advance(trx, changed, now)
      await recordJobs(trx, ctx, repository, released)
      await recordProgress(trx, ctx, repository, { before: changed, after })
      announceRun(trx, run)
      return result
    })
  const run = { id, owner_id: repository.owner_id }
  return await inRunQueue(ctx.db, id, () => withInputs(ctx, run, work)).catch(error => {
    throw mapForeignKeyError(error)
  })
}

const queues = createQueues()

/**
 * Runs work that locks a run. Within a process such work takes turns per run, because waiting for the
 * database lock would hold a connection. Work within an open transaction does not wait for its turn.
 */
export async function inRunQueue<T>(db: Db, runId: number, work: () => Promise<T>): Promise<T> {
  return await (db.isTransaction ? work() : queues(runId, work))
}

async function advance(
  trx: Transaction<Database>,
  run: RunRow,
  now: Date,
): Promise<{ after: RunRow; released: JobRow[] }> {
  const status = run.status === 'in_progress' ? await findOpenStatus(trx, run.id) : undefined
  if (status && status !== 'waiting') return { after: run, released: [] }
  const jobs = await selectJobs(trx, run.id, run.attempt)
  const released = await release(trx, run, jobs)
  const changed = new Map(released.map(job => [job.id, job]))
  const idsWith = (status: JobRow['status']) =>
    released.filter(job => job.status === status).map(job => job.id)
  const [queued, skipped] = [idsWith('queued'), idsWith('completed')]
  if (queued.length > 0) await updateJobs(trx, queued, { status: 'queued' }, now)
  if (skipped.length > 0) {
    const change = { status: 'completed', conclusion: 'skipped', completed_at: now } as const
    await updateJobs(trx, skipped, change, now)
  }
  const progress = progressOf(
    jobs.map(job => changed.get(job.id) ?? job),
    now,
    run,
  )
  if (progress.status === run.status && progress.conclusion === run.conclusion)
    return { after: run, released }
  return { after: await updateProgress(trx, run, progress, now), released }
}

async function release(trx: Transaction<Database>, run: RunRow, jobs: readonly JobRow[]): Promise<JobRow[]> {
  const conditions = await createConditions(trx, run, jobs)
  const rounds = releaseInRounds(jobs, conditions.runs)
  const giveWay = createPauses()
  for (;;) {
    const round = rounds.next()
    if (round.done) return round.value
    await conditions.prepare(round.value)
    await giveWay()
  }
}
