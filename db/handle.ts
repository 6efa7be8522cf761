import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Engine } from './embedded/engine'
import type { SlowQueryListener } from './slow-queries'
import type { Database } from './tables'

export type Db = Kysely<Database>

/** A database ready for use. The code that opened it must close it; closing it twice is safe. */
export interface OpenDatabase {
  db: Db
  pool: pg.Pool
  kind: 'embedded' | 'server'
  /** The engine of an embedded database, whose single session all connections share; absent for a server. */
  engine?: Engine
  /**
   * For an embedded database, resolves with the reason if the engine ends by itself; then only a new process can
   * open the database.
   */
  ended?: Promise<Error>
  /**
   * For an embedded database in a directory, copies its files to a directory that does not exist. The copy has
   * every transaction that was committed before. Queries wait meanwhile, about a second per GB.
   */
  copyFiles?: (directory: string) => Promise<void>
  close(): Promise<void>
}

/** Called when an idle connection fails; the pool replaces it automatically. */
export type IdleErrorListener = (error: Error) => void

export interface Listeners {
  onError?: IdleErrorListener | undefined
  onSlow?: SlowQueryListener | undefined
}
