import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../handle'
import { appliedMigrations, migrate } from '../migrate'
import type { Database } from '../tables'
import { describeTables, type TableShape } from './catalog'
import { withoutConstraints } from './constraints'
import { type BackupHeader, damaged, type RowCounts } from './format'
import { notABackup, parseHeader, readBackup } from './read-backup'
import { Restore, refuseOtherMigrations } from './restore'
import { countRows, differences } from './row-counts'
import { prepareSession } from './session'

export interface ImportHooks {
  /** Runs before the first row is restored. If it throws, nothing is restored. */
  onHeader?(header: BackupHeader): Promise<void>
  /** Runs after all checks, before the commit. If it throws, nothing is restored. */
  beforeCommit?(header: BackupHeader, trx: Transaction<Database>): Promise<void>
}

export interface Restored {
  header: BackupHeader
  rows: RowCounts
}

/**
 * Restores a compressed backup into an empty database in one transaction. Throws an error and restores
 * nothing if the database already contains rows, or if the backup is damaged or belongs to another version.
 */
export async function importDatabase(db: Db, source: Readable, hooks: ImportHooks = {}): Promise<Restored> {
  const text = createGunzip()
  text.on('error', () => source.destroy())
  source.on('error', error => text.destroy(error))
  try {
    return await importLines(db, source.pipe(text), hooks)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'Z_DATA_ERROR' && /header check/.test((error as Error).message)) throw notABackup(error)
    if (typeof code === 'string' && code.startsWith('Z_')) throw damaged((error as Error).message, error)
    throw error
  } finally {
    source.destroy()
    text.destroy()
  }
}

/**
 * Checks, before anything is restored, that a backup can be restored into this database, which is migrated for
 * that. `firstLine` is the first line of the uncompressed backup. Returns its header.
 * @throws {Error} if the database already contains rows, or the backup belongs to another version
 */
export async function requireRestorable(db: Db, firstLine: string): Promise<BackupHeader> {
  await migrate(db)
  const tables = await describeTables(db)
  await requireEmpty(
    db,
    tables.map(({ name }) => name),
  )
  const header = parseHeader(firstLine)
  refuseOtherMigrations(header.migrations, await appliedMigrations(db))
  return header
}

/**
 * Restores the uncompressed text of a backup, as `exportLines` yields it, into an empty database in one
 * transaction.
 */
export async function importLines(
  db: Db,
  source: AsyncIterable<string | Buffer>,
  hooks: ImportHooks = {},
): Promise<Restored> {
  await migrate(db)
  return db.transaction().execute(async trx => {
    await prepareSession(trx)
    const tables = await describeTables(trx)
    await claimEmpty(trx, tables)
    const restore = new Restore(trx, tables, await appliedMigrations(trx), hooks.onHeader)
    const { rows } = await withoutConstraints(trx, tables, () => readBackup(source, restore))

    const header = restore.complete()
    const wrong = differences(rows, await countRows(trx, Object.keys(rows)))
    if (wrong.length > 0) throw damaged(wrong.join(', '))
    await restore.setSequences()
    await hooks.beforeCommit?.(header, trx)
    return { header, rows }
  })
}

// The lock prevents a running server from adding the first row between this check and the commit.
async function claimEmpty(trx: Transaction<Database>, tables: TableShape[]): Promise<void> {
  const names = tables.map(table => table.name)
  try {
    await sql`lock table ${sql.join(names.map(name => sql.id(name)))} in access exclusive mode`.execute(trx)
  } catch (error) {
    throw new Error('the target database is in use: stop the programs that are using it', { cause: error })
  }
  await requireEmpty(trx, names)
}

async function requireEmpty(db: Db, names: readonly string[]): Promise<void> {
  const looks = names.map(
    name => sql`select ${sql.lit(name)} as name where exists (select from ${sql.id(name)})`,
  )
  const { rows } = await sql<{ name: string }>`${sql.join(looks, sql` union all `)}`.execute(db)
  if (rows.length === 0) return
  throw new Error(
    `the target database is not empty: there are rows in ${rows.map(row => row.name).join(', ')}; choose an empty database`,
  )
}
