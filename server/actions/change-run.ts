import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { involvedAccounts } from '@/server/kernel/caller'
import { createQueues } from '@/server/kernel/concurrency-limit'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import type { RepositoryRow } from '@/server/repos'
import { mapForeignKeyError } from '@/server/users'
import { settleRuns } from './settle-runs'
import { type LockedOwners, lockOwnersOf, lockRun, type RunRow, usesGroups } from './store'
import { withInputs } from './unread-inputs'

interface ChangedRun {
  repository: Pick<RepositoryRow, 'id' | 'owner_id'>
  run: { id: number; uses_groups?: boolean }
}

interface Changed {
  touched: Set<number>
  unrecorded: Set<number>
}

/**
 * Changes jobs or tasks of a run in one transaction, then releases the jobs that waited for them and updates
 * the run's status. The change adds other runs that it changed to `touched`, and jobs that it inserted without
 * recording an event to `unrecorded`. `uses_groups` saves a query if it was read while the run was open.
 * @throws {DomainError} notFound if the run is deleted or its repository transferred concurrently.
 */
export async function changeRun<T>(
  ctx: ServiceCtx,
  { repository, run: { id, uses_groups } }: ChangedRun,
  change: (trx: Transaction<Database>, run: RunRow, now: Date, locked: LockedOwners & Changed) => Promise<T>,
): Promise<T> {
  const attempt = (isKnown: boolean) =>
    withTransaction(ctx.db, async trx => {
      // What several runs share is locked before any of them.
      const isExclusive = isKnown ? uses_groups : await usesGroups(trx, id)
      const how = isExclusive ? 'exclusive' : 'shared'
      const locked = await lockOwnersOf(trx, repository, involvedAccounts(ctx.caller), how)
      const run = await lockRun(trx, id)
      if (!locked || !run) throw deleted('run')
      // A new attempt that uses groups has started since `uses_groups` was read.
      if (run.uses_groups && !isExclusive) return undefined
      const now = ctx.clock.now()
      const changed = { touched: new Set([id]), unrecorded: new Set<number>() }
      const result = await change(trx, run, now, { ...locked, ...changed })
      const { touched, unrecorded } = changed
      await settleRuns({ trx, ctx, repository, now, unrecorded }, touched)
      return { result }
    })
  const work = async (): Promise<T> => {
    let done = uses_groups === undefined ? undefined : await attempt(true)
    while (!done) done = await attempt(false)
    return done.result
  }
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
