import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, type Transaction } from 'kysely'
import type { Db } from './handle'
import type { Database } from './tables'

// Callbacks to run after the surrounding transaction commits.
type Reactions = Map<unknown, () => void>
const inside = new AsyncLocalStorage<Reactions>()

/**
 * Guards slow work, which must not run inside a transaction: it would occupy a connection, and with the embedded
 * database all other queries would wait, because it has only one session.
 * @throws {Error} if called inside a transaction.
 */
export function refuseInTransaction(what: string): void {
  if (inside.getStore())
    throw new Error(`${what} is not allowed inside a database transaction: do it before or after`)
}

/**
 * Thrown by work that, after acquiring its locks, finds that it should have locked something else first. The
 * transaction is rolled back, which releases its locks, and retried.
 */
export class RetryTransaction extends Error {
  override readonly name = 'RetryTransaction'
}

/**
 * Runs work in one transaction: in the caller's, if there is one, so that nested operations commit together,
 * and otherwise in a new one. Only the outermost call retries after a `RetryTransaction`, and runs the
 * `afterCommit` callbacks after the commit.
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
 * Calls `react` once the changes made with this handle are committed: immediately outside a transaction,
 * otherwise after the outermost `withTransaction`, and never after a rollback or a dry run. Of several
 * callbacks that a transaction registers under the same name, only the last one is called. If it throws, the
 * process only emits a warning.
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

// Other changes may wait for the locks of a dry run, so its lock waits and statements are limited.
const dryRunLimits = { lockMs: 2_000, statementMs: 10_000 }

/**
 * Runs a change in its own transaction and rolls it back, to learn what it would do. It keeps its locks until
 * then, and `afterCommit` callbacks do not run. On a server, it fails with an error that `timedOut`
 * recognizes if it waits too long for a lock or if a statement takes too long. The embedded database has no
 * timeouts, but also no waits for locks, because everything shares one session.
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
