import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, type Transaction } from 'kysely'
import type { Db } from './handle'
import type { Database } from './tables'

// What is to be done once the transaction we are inside of is committed.
type Reactions = Map<unknown, () => void>
const inside = new AsyncLocalStorage<Reactions>()

/**
 * Refuses to go on inside a transaction: what waits for something slow there keeps a connection, of which the
 * embedded database has one, and with it everybody else.
 * @throws {Error} within a transaction.
 */
export function refuseInTransaction(what: string): void {
  if (inside.getStore()) throw new Error(`${what} inside a database transaction: do it before or after`)
}

/**
 * Thrown by work that finds, once it holds locks, that it should have locked something else first: the transaction is rolled
 * back, which frees its locks, and retried.
 */
export class RetryTransaction extends Error {
  override readonly name = 'RetryTransaction'
}

/**
 * Runs in one transaction: joins the caller's if it has one, so that nested verbs commit together. The outermost one runs
 * its work again when that throws `RetryTransaction`, and after its commit what `afterCommit` was given.
 */
export function withTransaction<T>(db: Db, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return run(db as Transaction<Database>)
  return withRetries(async () => {
    const committed: Reactions = new Map()
    const result = await db.transaction().execute(trx => inside.run(committed, () => run(trx)))
    for (const react of committed.values()) withoutFailing(react)
    return result
  })
}

/**
 * Calls `react` once what was written with this handle is committed: at once without a transaction, otherwise after the
 * outermost `withTransaction`, and never after a rollback or a dry run. Of those that a transaction was given under one name,
 * only the last is called. Its failure is a warning of the process alone.
 */
export function afterCommit(db: Db, react: () => void, name?: string): void {
  if (db.isTransaction) inside.getStore()?.set(name ?? react, react)
  else withoutFailing(react)
}

function withoutFailing(react: () => void): void {
  try {
    react()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

// Real changes may wait for a dry run's locks, so its waits and statements are kept short.
const dryRunLimits = { lockMs: 2_000, statementMs: 10_000 }

/**
 * Runs in a transaction of its own and rolls it back: makes a change to learn what it would do. It holds its locks until
 * then, and nothing that waits for a commit is told. On a server it fails, as `timedOut` tells,
 * when it waits too long for a lock or one of its statements takes too long. The embedded database has no timers: nothing
 * stops a statement there, and as all share one connection there are no locks to wait for.
 */
export function dryRun<T>(
  db: Db,
  run: (trx: Transaction<Database>) => Promise<T>,
  { lockMs, statementMs } = dryRunLimits,
): Promise<T> {
  return withRetries(async () => {
    const trx = await db.startTransaction().execute()
    try {
      await sql`select
        set_config('lock_timeout', ${String(lockMs)}, true),
        set_config('statement_timeout', ${String(statementMs)}, true)`.execute(trx)
      return await inside.run(new Map(), () => run(trx))
    } finally {
      await trx.rollback().execute()
    }
  })
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RetryTransaction)) throw error
    }
  }
}
