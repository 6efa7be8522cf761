import { Migrator, sql } from 'kysely'
import type { Db } from './handle'
import { migrations, type SchemaMigration } from './migrations'
import { raisingOldestWriter } from './schema-version'

/**
 * Applies all pending migrations and returns their names. Processes that start concurrently wait for each
 * other: Kysely's migrator acquires an advisory lock and runs the batch in one transaction.
 * @throws {Error} with the name of the migration that failed, or if the database is newer than this program.
 */
export async function migrate(db: Db, known = migrations): Promise<string[]> {
  await refuseNewer(db, known)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => raisingOldestWriter(known) } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map(result => result.migrationName)

  // A newer program may have migrated the database while this one waited for the lock.
  await refuseNewer(db, known)
  const failed = results.find(result => result.status === 'Error')
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(
    failed ? `migration ${failed.migrationName} failed: ${reason}` : `cannot migrate: ${reason}`,
    {
      cause: error,
    },
  )
}

/** Returns the names of the migrations applied to a database, in order; none for an empty database. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!found[0]?.exists) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(row => row.name).sort()
}

async function refuseNewer(db: Db, known: Record<string, SchemaMigration>): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter(name => !(name in known))
  if (unknown.length === 0) return
  throw new Error(
    `the database is newer than this program: it has migrations that this program does not recognize (${unknown.join(', ')}); ` +
      'run the version that applied them or a later one',
  )
}
