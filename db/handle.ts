import type { PGlite } from '@electric-sql/pglite'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Database } from './tables'

export type Db = Kysely<Database>

/** A database ready for use; whoever opened it closes it, and closing twice is harmless. */
export interface OpenDatabase {
  db: Db
  pool: pg.Pool
  kind: 'embedded' | 'server'
  /** Present only for the embedded kind: the one session everything shares. */
  pglite?: PGlite
  /** Settles, for the embedded kind, with why its engine has ended by itself: only another process can go on. */
  ended?: Promise<Error>
  close(): Promise<void>
}

/** Called for a connection that fails while nobody uses it; the pool replaces it by itself. */
export type IdleErrorListener = (error: Error) => void
