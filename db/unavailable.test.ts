import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { openServer } from './server/open'
import { openEmbeddedCopy } from './testing/embedded-template'
import { startPostgres } from './testing/postgres-server'
import { openServerCopy } from './testing/server-template'
import { brandFailures, isUnavailable } from './unavailable'

const server = await startPostgres()
afterAll(() => server?.stop())

const poolOf = (config: pg.PoolConfig): pg.Pool => brandFailures(new pg.Pool(config))

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

it('a server that nobody runs counts as unavailable', async () => {
  for (const host of ['127.0.0.1', 'localhost', 'nowhere..test']) {
    const url = `postgres://someone@${host}:1/forge`
    const pool = poolOf({ connectionString: url })
    expect(isUnavailable(await failureOf(pool.query('select 1'))), host).toBe(true)
    await pool.end()
    expect(isUnavailable(await failureOf(pool.query('select 1')))).toBe(true)
    expect(isUnavailable(await failureOf(openServer(url)))).toBe(true)
  }
  const inFile = poolOf({ host: '/nonexistent', user: 'someone' })
  expect(isUnavailable(await failureOf(inFile.query('select 1')))).toBe(true)
})

it('a server that says nothing, or hangs up, counts as unavailable', async () => {
  const silent = createServer(
    socket => void (socket.remotePort! % 2 && setTimeout(() => socket.destroy(), 5)),
  )
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const options = { host: '127.0.0.1', port, user: 'someone', connectionTimeoutMillis: 100 }
  const failures = await Promise.all(
    Array.from({ length: 6 }, () => failureOf(poolOf(options).query('select 1'))),
  )
  for (const failure of failures) expect(isUnavailable(failure), String(failure)).toBe(true)
  silent.close()
})

it('a pool whose connection nobody gives back counts as unavailable', async () => {
  const pglite = await openEmbeddedCopy()
  const pool = poolOf({ ...pglite.pool.options, connectionTimeoutMillis: 100 })
  const client = await pool.connect()
  expect(isUnavailable(await failureOf(pool.query('select 1')))).toBe(true)
  client.release()
  await pool.end()
  await pglite.close()
})

it('what is wrong with a question, and a failure elsewhere, do not count as unavailable', async () => {
  const database = await openEmbeddedCopy()
  const asked = [sql`select`, sql`select 1/0`, sql`select 'x'::int`, sql`select * from nothing`]
  for (const query of asked) {
    const failure = await failureOf(query.execute(database.db))
    expect(isUnavailable(failure), String(failure)).toBe(false)
  }
  await database.close()
  for (const other of [
    undefined,
    'ECONNREFUSED',
    new Error('no'),
    Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }),
    Object.assign(new Error('aborted'), { code: 'ECONNRESET' }),
  ]) {
    expect(isUnavailable(other)).toBe(false)
  }
})

it('a connection to anything else that fails does not count as unavailable', async () => {
  const failures = [
    await failureOf(fetch('http://127.0.0.1:2')),
    await failureOf(fetch('http://nowhere..test')),
    new Error('Connection terminated'),
    new Error('delivery failed', {
      cause: new AggregateError([await failureOf(fetch('http://127.0.0.1:2'))]),
    }),
  ]
  for (const failure of failures) expect(isUnavailable(failure), String(failure)).toBe(false)
})

describe.skipIf(!server)('a PostgreSQL that goes away', () => {
  it('fails what is under way as unavailable, harms nothing else, and is used again afterwards', async () => {
    const other = await openServerCopy(server!.url)
    const lost: unknown[] = []
    const database = await openServer(other.pool.options.connectionString!, { onError: e => lost.push(e) })
    const endAll = async () => {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'guildhall' and datname = current_database() and pid <> pg_backend_pid()
      `.execute(other.db)
      await delay(50)
    }
    const asking = failureOf(sql`select pg_sleep(20)`.execute(database.db))
    const inBetween = failureOf(
      database.db.transaction().execute(async trx => {
        await sql`select 1`.execute(trx)
        await delay(100)
        // Nobody asks anything on this connection while it is lost.
        await endAll()
        await sql`select 1`.execute(trx)
      }),
    )
    for (const failure of await Promise.all([asking, inBetween])) {
      expect(isUnavailable(failure), String(failure)).toBe(true)
    }
    await sql`select 1`.execute(database.db)
    await endAll()
    expect(lost).not.toEqual([])
    await sql`select 1`.execute(database.db)
    await database.close()
    await other.close()
  })

  it('is told from one that has no connection left, which counts as unavailable as well', async () => {
    const name = `limited_${Date.now()}`
    const admin = new pg.Pool({ connectionString: server!.url }).on('error', () => undefined)
    await admin.query(`create role ${name} login password 'x' connection limit 0`)
    const url = new URL(server!.url)
    url.username = name
    url.password = 'x'
    expect(isUnavailable(await failureOf(openServer(url.href)))).toBe(true)
    await admin.query(`drop role ${name}`)
    await admin.end()
  })
})
