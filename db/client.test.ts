import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from './client'
import { appliedMigrations } from './migrate'
import { migrations } from './migrations'
import { startPostgres } from './testing/postgres-server'
import { createServerDatabase } from './testing/server-template'

// Creating an embedded database takes seconds, and longer on a busy host.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const server = await startPostgres()
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'guildhall-client-'))
})
afterAll(async () => {
  await server?.stop()
  await rm(dataDir, { recursive: true })
})

it('openDatabase opens the embedded database in the data directory and migrates it', async () => {
  const open = await openDatabase({ dataDir })
  expect(open.kind).toBe('embedded')
  expect(open.engine).toBeDefined()
  expect(await appliedMigrations(open.db)).toEqual(Object.keys(migrations))
  await open.close()
})

it('openDatabase reports the host and database that it cannot reach, but not the password', async () => {
  const failure = await openDatabase({
    databaseUrl: 'postgres://someone:hunter2@127.0.0.1:1/forge',
    dataDir,
  }).catch((error: Error) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(String(failure)).toContain('"forge" at 127.0.0.1:1')
  expect(String(failure)).toContain('ECONNREFUSED')
  expect(String(failure)).not.toContain('hunter2')
})

it.each(['hunter2', 'postgres://a:hunter2@host:port/x', 'mysql://a:hunter2@host/x'])(
  'openDatabase rejects an invalid connection string without repeating it (%#)',
  async databaseUrl => {
    const failure: unknown = await openDatabase({ databaseUrl, dataDir }).catch(error => error)
    expect(String(failure)).toContain('DATABASE_URL is not a connection string')
    expect(String(failure)).not.toContain('hunter2')
    expect((failure as Error).cause).toBeUndefined()
  },
)

describe.skipIf(!server)('a database on a server', () => {
  it('is migrated when opened, returns int8 values as numbers, and limits the duration of statements', async () => {
    const fresh = await createServerDatabase(server!.url)
    const open = await openDatabase({ databaseUrl: fresh.url, dataDir })
    expect(open.kind).toBe('server')
    expect(await appliedMigrations(open.db)).toEqual(Object.keys(migrations))
    const { rows } = await sql`
      select 9007199254740991::int8 as n, current_setting('statement_timeout') as limit,
        current_setting('application_name') as name`.execute(open.db)
    expect(rows).toEqual([{ n: 9007199254740991, limit: '30s', name: 'guildhall' }])
    await expect(sql`select 9007199254740993::int8`.execute(open.db)).rejects.toThrow(
      'outside the safe integer range',
    )
    await open.close()
    await open.close()
    await fresh.drop()
  })

  it('reports an idle connection that is lost, and replaces it', async () => {
    const fresh = await createServerDatabase(server!.url)
    const lost: Error[] = []
    const open = await openDatabase({ databaseUrl: fresh.url, dataDir, onError: error => lost.push(error) })
    const other = await openDatabase({ databaseUrl: fresh.url, dataDir })
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other.db)
    await expect.poll(() => lost.length).toBeGreaterThan(0)
    expect((await sql`select 1 as one`.execute(open.db)).rows).toEqual([{ one: 1 }])
    await open.close()
    await other.close()
    await fresh.drop()
  })
})
