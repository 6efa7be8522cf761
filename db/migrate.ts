import { Migrator, sql } from 'kysely'
import type { Db } from './handle'
import { migrations, type SchemaMigration } from './migrations'
import { raisingOldestWriter } from './schema-version'

/**
 * Brings the database to the newest migration and returns the names it applied. Processes that start at
 * once wait for each other: Kysely's migrator holds an advisory lock, and one transaction around the batch.
 * @throws {Error} with the name of the migration that failed, and for a database that is newer than this program.
 */
export async function migrate(db: Db, known = migrations): Promise<string[]> {
  await refuseNewer(db, known)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => raisingOldestWriter(known) } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map(result => result.migrationName)

  // A newer program may have migrated while this one waited for the lock.
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

/** The names of the migrations a database has seen, in order; none for an empty database. */
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
    `the database is newer than this program: it has migrations unknown here (${unknown.join(', ')}); ` +
      'run the version that made it, or a later one',
  )
}
