import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from 'kysely'
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

/** Runs in one transaction: joins the caller's if it has one, so that nested verbs commit together. */
export function withTransaction<T>(db: Db, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return run(db as Transaction<Database>)
  return db.transaction().execute(trx => inside.run(true, () => run(trx)))
}

/**
 * Runs in a transaction of its own and takes back all that was written: what a change would do is told by making it. Its
 * locks are held meanwhile, and whoever listens for its commit hears nothing.
 */
export async function rehearse<T>(db: Db, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  const trx = await db.startTransaction().execute()
  try {
    return await inside.run(true, () => run(trx))
  } finally {
    await trx.rollback().execute()
  }
}
