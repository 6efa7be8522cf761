import type { Transaction } from 'kysely'
import type { Db } from './handle'
import type { Database } from './tables'

/** Runs in one transaction: joins the caller's if it has one, so that nested verbs commit together. */
export function withTransaction<T>(db: Db, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return run(db as Transaction<Database>)
  return db.transaction().execute(run)
}

/**
 * Runs in a transaction of its own and takes back all that was written: what a change would do is told by making it. Its
 * locks are held meanwhile, and whoever listens for its commit hears nothing.
 */
export async function rehearse<T>(db: Db, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  const trx = await db.startTransaction().execute()
  try {
    return await run(trx)
  } finally {
    await trx.rollback().execute()
  }
}
