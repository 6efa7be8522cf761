import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { series } from '@/testing/series'
import { openSession } from './embedded/session'
import type { Db, OpenDatabase } from './handle'
import { appliedMigrations, migrate } from './migrate'
import { migrations, type SchemaMigration } from './migrations'
import { openServer } from './server/open'
import type { Database } from './tables'
import { openEmbeddedCopy } from './testing/embedded-template'
import { startMemoryEngine } from './testing/memory-engine'
import { startPostgres } from './testing/postgres-server'
import { createServerDatabase, openServerCopy } from './testing/server-template'
import { openTestDatabase } from './testing/test-database'

const server = await startPostgres()
afterAll(() => server?.stop())

// If a server is available, the short series uses it, because it is faster, and the long series uses the
// embedded engine.
const kinds = server ? series(['server'] as const, ['embedded'] as const) : (['embedded'] as const)
const inSeries = { tags: 'series', timeout: 60_000 }

const names = Object.keys(migrations)

const migration = (statement: string, breaksOlder = false): SchemaMigration => ({
  up: trx =>
    sql
      .raw(statement)
      .execute(trx)
      .then(() => {}),
  breaksOlder,
})

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

it('the migrations are listed in the order of their names', () => {
  expect(names).toEqual([...names].sort())
})

describe('a migration', () => {
  it.each(Object.entries(migrations))('states whether it breaks older programs: %s', (_, { breaksOlder }) => {
    expect(typeof breaksOlder).toBe('boolean')
  })

  // The dummy driver returns no rows for the migration's queries.
  it.each(Object.entries(migrations).filter(([name, { breaksOlder }]) => name >= '0027' && !breaksOlder))(
    'that does not break older programs drops and renames nothing: %s',
    async (_, { up }) => {
      const statements: string[] = []
      const dialect = {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      }
      await up(new Kysely({ dialect, log: event => void statements.push(event.query.sql) }))
      expect(
        statements.filter(text => /\b(drop (table|column)|rename|alter column \w+ type)\b/i.test(text)),
      ).toEqual([])
    },
  )
})

it('migrate does nothing if the database is up to date', async () => {
  const { db } = open
  expect(await migrate(db)).toEqual([])
  expect(await appliedMigrations(db)).toEqual(names)
})

it('migrate leaves all tables empty, so that a restore can recognize an unused database', async () => {
  const { db } = open
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(db)
    expect(rows, name).toEqual([])
  }
})

it.each(kinds)(
  'migrate names the migration that failed and rolls back the whole batch: %s',
  inSeries,
  async kind => {
    const { db, close } = await openMigrated(kind)
    const known = {
      ...migrations,
      '9998-fine': migration(`create table half_done (id int)`),
      '9999-broken': migration(`create nonsense`),
    }
    await expect(migrate(db, known)).rejects.toThrow(/^migration 9999-broken failed: syntax error/)
    const { rows } = await sql`select to_regclass('half_done') as found`.execute(db)
    expect(rows).toEqual([{ found: null }])
    await close()
  },
)

it.each(kinds)('migrate rejects a database that is newer than the program: %s', inSeries, async kind => {
  const { db, close } = await openMigrated(kind)
  await migrate(db, { ...migrations, '9999-of-the-future': migration('select') })
  await expect(migrate(db)).rejects.toThrow(/newer than this program.*9999-of-the-future/)
  await close()
})

describe('a program whose database a newer version has migrated', () => {
  const future = (breaksOlder: boolean) => ({
    ...migrations,
    '9998-of-the-future': migration('select', breaksOlder),
    '9999-of-the-future': migration('select'),
  })

  it.each(kinds)('continues to write if no migration breaks it: %s', inSeries, async kind => {
    const { db, close } = await openMigrated(kind)
    await migrate(db, future(false))
    await insertEvent(db, 'key.added')
    await close()
  })

  it.each(kinds)('commits no events after a migration that breaks it: %s', inSeries, async kind => {
    const { db, close } = await openMigrated(kind)
    await migrate(db, future(true))
    await expect(insertEvent(db, 'key.added')).rejects.toMatchObject({ code: 'GHOLD' })
    await sql`select set_config('guildhall.schema', '9998-of-the-future', false)`.execute(db)
    await insertEvent(db, 'key.added')
    await close()
  })

  it.skipIf(!server)(
    'commits events recorded before a breaking migration completes, and none afterward',
    async () => {
      const { db, close } = await openMigrated('server')
      const order: string[] = []
      const before = await db.startTransaction().execute()
      await insertEvent(before, 'key.added')
      const migrated = migrate(db, future(true)).then(() => order.push('migrated'))
      await waitForLock(db)
      const later = insertEvent(db, 'key.added').catch((error: { code: string }) => order.push(error.code))
      await before.commit().execute()
      order.push('committed')
      await Promise.all([migrated, later])
      expect(order[0]).toBe('committed')
      expect(order).toContain('GHOLD')
      expect(await inFeeds(db)).toHaveLength(1)
      await close()
    },
  )
})

async function openMigrated(kind: 'embedded' | 'server'): Promise<OpenDatabase> {
  return kind === 'embedded' ? await openEmbeddedCopy() : await openServerCopy(server!.url)
}

/** Waits until a session on this database waits for a lock. */
async function waitForLock(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: boolean }>`select exists (
      select from pg_locks join pg_database on oid = database
      where not granted and datname = current_database()) as waiting`.execute(db)
    if (rows[0]?.waiting) return
  }
}

/** Opens an empty database with only the migrations before `before` applied. */
async function openOlder(kind: 'embedded' | 'server', before = '0007'): Promise<OpenDatabase> {
  const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < before))
  if (kind === 'embedded') {
    const open = openSession(await startMemoryEngine())
    await migrate(open.db, older)
    return open
  }
  const fresh = await createServerDatabase(server!.url)
  const open = await openServer(fresh.url, { poolSize: 2 })
  await migrate(open.db, older)
  return { ...open, close: () => open.close().then(fresh.drop) }
}

async function insertEvent(db: Db, kind: string, before = ''): Promise<void> {
  const data = sql`jsonb_build_object('before', ${before}::text)`
  await sql`insert into events (kind, data) values (${kind}, ${data})`.execute(db)
}

async function inFeeds(db: Db): Promise<boolean[]> {
  const rows = await db.selectFrom('events').select('in_feed').orderBy('id').execute()
  return rows.map(row => row.in_feed)
}

it.each(kinds)(
  'migrate keeps in_feed of existing events, and the program sets it for later ones: %s',
  inSeries,
  async kind => {
    const { db, close } = await openOlder(kind)
    await insertEvent(db, 'git.pushed', 'a1')
    await insertEvent(db, 'git.pushed', '00')
    await insertEvent(db, 'key.added')
    await migrate(db)
    for (const isIn of [false, true]) {
      await sql`insert into events (kind, in_feed) values ('git.pushed', ${isIn})`.execute(db)
      await sql`insert into events (kind, in_feed) values ('key.added', ${isIn})`.execute(db)
    }
    expect(await inFeeds(db)).toEqual([true, false, false, false, false, true, true])
    await close()
  },
)

// During a rolling upgrade, older processes still record events, and treat in_feed as a generated column.
it.each(kinds)(
  'an event that an older program records gets the same in_feed as before the migration: %s',
  inSeries,
  async kind => {
    const { db, close } = await openOlder(kind)
    const recordAll = async () => {
      await sql`insert into events (kind) values
        ('repository.created'), ('ref.created'), ('ref.deleted'), ('release.published'), ('key.added'), ('git.pushed')`.execute(
        db,
      )
      for (const before of ['a1', '00', '']) await insertEvent(db, 'git.pushed', before)
    }
    await recordAll()
    const then = await inFeeds(db)
    expect(then).toEqual([true, true, true, true, false, true, true, false, true])
    await migrate(db)
    await recordAll()
    expect(await inFeeds(db)).toEqual([...then, ...then])
    await close()
  },
)

it.each(kinds)(
  'migrate assigns existing runs to the owner that their repository had then, and runs that older programs start to the current owner: %s',
  inSeries,
  async kind => {
    const { db, close } = await openOlder(kind, '0024')
    const start = (number: number, event: number | null) =>
      sql`insert into workflow_runs (repository_id, number, title, workflow_path, workflow_name, document, event, status,
        trigger_event_id, created_at) values (1, ${number}, '', '', '', '', 'push', 'queued', ${event}, '2026-01-02')`.execute(
        db,
      )
    const give = (id: number, from: number, at: string) =>
      sql`insert into events (id, kind, owner_id, data, created_at)
        values (${id}, 'repository.given_away', ${from}, '{"repositoryId": 1}', ${at}::timestamptz)`.execute(
        db,
      )
    await sql`insert into users (id, name, email) select n, 'u' || n, n || '@example.test' from generate_series(1, 3) n`.execute(
      db,
    )
    await sql`insert into repositories (id, owner_id, name, default_branch, storage_key) values (1, 3, 'x', 'main', 'x')`.execute(
      db,
    )
    await give(10, 1, '2026-01-01')
    await give(20, 2, '2026-01-03')
    await start(1, 5)
    await start(2, 15)
    await start(3, null)
    await start(4, 25)
    await migrate(db)
    await start(5, 30)
    const runs = await db.selectFrom('workflow_runs').select('owner_id').orderBy('number').execute()
    expect(runs.map(run => run.owner_id)).toEqual([1, 2, 2, 3, 3])
    await close()
  },
)

describe.skipIf(!server)('migrate on a server', () => {
  it('makes processes that start concurrently migrate one after the other', async () => {
    const fresh = await createServerDatabase(server!.url)
    const openDb = () =>
      new Kysely<Database>({
        dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: fresh.url, max: 1 }) }),
      })
    const handles = Array.from({ length: 4 }, openDb)
    const applied = await Promise.all(handles.map(db => migrate(db)))
    expect(applied.flat()).toEqual(names)
    expect(await appliedMigrations(handles[0]!)).toEqual(names)
    for (const db of handles) await db.destroy()
    await fresh.drop()
  })
})
