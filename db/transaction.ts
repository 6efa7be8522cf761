import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, type Transaction } from 'kysely'
import type { Db } from './handle'
import type { Database } from './tables'

const inside = new AsyncLocalStorage<true>()

/**
 * Throws when called within a transaction: what waits for something slow there keeps a connection, of which the
 * embedded database has one, and with it everybody else.
 */
export function refuseInTransaction(what: string): void {
  if (inside.getStore()) throw new Error(`${what} inside a database transaction: do it before or after`)
}

/**
 * Thrown by work that finds, once it holds locks, that it should have locked something else before: the whole transaction
 * is taken back, so that its locks are free, and begun anew.
 */
export class BeginAnew extends Error {
  override readonly name = 'BeginAnew'
}

/**
 * Runs in one transaction: joins the caller's if it has one, so that nested verbs commit together. The outermost one runs
 * its work again where that throws `BeginAnew`.
 */
export function withTransaction<T>(db: Db, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return run(db as Transaction<Database>)
  return untilDone(() => db.transaction().execute(trx => inside.run(true, () => run(trx))))
}

// Whoever changes something in earnest may have to wait for a rehearsal's locks.
const usualPatience = { lockMs: 2_000, statementMs: 10_000 }

/**
 * Runs in a transaction of its own and takes back all that was written: what a change would do is told by making it. Its
 * locks are held meanwhile, and whoever listens for its commit hears nothing. On a server it fails, as `timedOut` tells,
 * when it waits too long for a lock or one of its statements takes too long. The embedded database has no timers: nothing
 * stops a statement there, and as all share one connection there are no locks to wait for.
 */
export function rehearse<T>(
  db: Db,
  run: (trx: Transaction<Database>) => Promise<T>,
  { lockMs, statementMs } = usualPatience,
): Promise<T> {
  return untilDone(async () => {
    const trx = await db.startTransaction().execute()
    try {
      await sql`select
        set_config('lock_timeout', ${String(lockMs)}, true),
        set_config('statement_timeout', ${String(statementMs)}, true)`.execute(trx)
      return await inside.run(true, () => run(trx))
    } finally {
      await trx.rollback().execute()
    }
  })
}

async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof BeginAnew)) throw error
    }
  }
}
