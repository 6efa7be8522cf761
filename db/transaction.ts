import type { Transaction } from 'kysely'
import type { Db } from './handle'
import type { Database } from './tables'

/** Runs in one transaction: joins the caller's if it has one, so that nested verbs commit together. */
export function withTransaction<T>(db: Db, run: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  if (db.isTransaction) return run(db as Transaction<Database>)
  return db.transaction().execute(run)
}
