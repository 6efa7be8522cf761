import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { openSession } from './embedded/session'
import { prepared } from './prepared'
import { openServer } from './server/open'
import { openEmbeddedCopy } from './testing/embedded-template'
import { startOwnPostgres, startPostgres } from './testing/postgres-server'
import { openServerCopy } from './testing/server-template'
import { brandFailures, isUnavailable, unavailabilityOf } from './unavailable'
import { requireWritable } from './writable'

const server = await startPostgres()
afterAll(() => server?.stop())

const poolOf = (config: pg.PoolConfig): pg.Pool => brandFailures(new pg.Pool(config))

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

it('a server that is not running counts as unavailable', async () => {
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

it('a server that sends nothing, or closes the connection, counts as unavailable', async () => {
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

const embedded = await openEmbeddedCopy()
afterAll(() => embedded.close())

it('a pool whose only connection is not returned counts as unavailable', async () => {
  const pool = poolOf({ ...embedded.pool.options, max: 1, connectionTimeoutMillis: 100 })
  const client = await pool.connect()
  expect(isUnavailable(await failureOf(pool.query('select 1')))).toBe(true)
  client.release()
  await pool.end()
})

const states = {
  '08006': 'away',
  '57P01': 'away',
  '25P03': 'away',
  '53300': 'away',
  '25006': 'readOnly',
  '53100': 'full',
  '53200': 'failing',
  '53400': 'failing',
  '58030': 'failing',
  '57014': undefined,
  '40P01': undefined,
  '42501': undefined,
}

it('unavailabilityOf distinguishes an unavailable database from a rejected statement, and requireWritable remembers a full disk', async () => {
  const database = openSession(embedded.engine!)
  await requireWritable(database.db)
  for (const [state, why] of Object.entries(states)) {
    const refusal = sql.raw(`do $$ begin raise exception 'no' using errcode = '${state}'; end $$`)
    expect(unavailabilityOf(await failureOf(refusal.execute(database.db))), state).toBe(why)
  }
  expect(unavailabilityOf(await failureOf(requireWritable(database.db)))).toBe('full')
  await database.pool.end()
})

it('unavailabilityOf recognizes a full quota and a read-only disk, which have no SQLSTATE, by the message of the system', async () => {
  const database = openSession(embedded.engine!)
  const refusals: [string, string, string | undefined][] = [
    ['XX000', 'could not extend file "base/5/16387": Disk quota exceeded', 'full'],
    ['XX000', 'could not write to file "pg_wal/xlogtemp.42": Quota exceeded', 'full'],
    ['XX000', 'could not write block 7 of temporary file: Disk quota exceeded', 'full'],
    ['42501', 'could not open file "base/5/16387": Read-only file system', 'failing'],
    ['42501', 'permission denied for table users', undefined],
    ['XX000', 'could not find a path: tuple concurrently updated', undefined],
    ['22P02', 'could not read "could not x: Disk quota exceeded"', undefined],
  ]
  for (const [state, message, why] of refusals) {
    const raise = sql.raw(
      `do $$ begin raise exception using errcode = '${state}', message = '${message}'; end $$`,
    )
    expect(unavailabilityOf(await failureOf(raise.execute(database.db))), message).toBe(why)
  }
  await database.pool.end()
})

it('requireWritable accepts a session that lost its settings, for example behind a pooler', async () => {
  const database = openSession(embedded.engine!)
  for (const statement of [`set guildhall.schema to ''`, 'discard all']) {
    await database.pool.query(statement)
    expect(await failureOf(requireWritable(database.db)), statement).toBe(undefined)
  }
  await database.pool.end()
})

it('isUnavailable returns false for invalid statements and for failures outside the database', async () => {
  const database = openSession(embedded.engine!)
  const asked = [sql`select`, sql`select 1/0`, sql`select 'x'::int`, sql`select * from nothing`]
  for (const query of asked) {
    const failure = await failureOf(query.execute(database.db))
    expect(isUnavailable(failure), String(failure)).toBe(false)
  }
  await database.pool.end()
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

it('isUnavailable returns false for a failed connection to another server', async () => {
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

describe.skipIf(!server)('a PostgreSQL server', () => {
  it('that drops all connections fails running statements as unavailable and is used again afterward', async () => {
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
        // The connection is idle inside the transaction while it is lost.
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

  it('that rejects changes is reported as read-only, and is written to again soon after it accepts them', async () => {
    const other = await openServerCopy(server!.url)
    const url = other.pool.options.connectionString!
    const setReadOnly = (value: 'on' | 'off') =>
      other.pool.query(
        `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${value}`,
      )
    await setReadOnly('on')
    // The setting applies only to new sessions, so these stay read-only, like sessions with a former primary
    // server after a failover.
    const database = await openServer(url)
    const write = () => sql`delete from login_failures`.execute(database.db)
    const writes = () => Promise.all(Array.from({ length: 5 }, () => failureOf(write())))
    for (const failure of [...(await writes()), await failureOf(requireWritable(database.db))]) {
      expect(unavailabilityOf(failure), String(failure)).toBe('readOnly')
    }
    await setReadOnly('off')
    const begun = performance.now()
    while ((await failureOf(requireWritable(database.db))) !== undefined) await delay(50)
    expect(performance.now() - begun).toBeLessThan(3_000)
    expect(await writes()).toEqual(Array.from({ length: 5 }, () => undefined))
    await database.close()
    await other.close()
  })

  it('that has no connections left counts as unavailable', async () => {
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

const own = await startOwnPostgres()
afterAll(() => own?.stop())

describe.skipIf(!own)('a watched PostgreSQL server', () => {
  const watch = { slowMs: 200, answerMs: 300, againMs: 50 }

  it.each([
    ['statements', sql`select 1`],
    ['prepared statements', sql`${prepared} select 1`],
  ])(
    'that does not respond fails pending and new %s, and is used again once it responds',
    async (_, statement) => {
      const reported: string[] = []
      const onError = ({ message }: Error) => void reported.push(message)
      const database = await openServer(own!.url, { poolSize: 2, watch, onError })
      const ask = () => statement.execute(database.db)
      await ask()
      await own!.halt()
      const begun = performance.now()
      for (const failure of await Promise.all(Array.from({ length: 5 }, () => failureOf(ask())))) {
        expect(isUnavailable(failure), String(failure)).toBe(true)
      }
      expect(isUnavailable(await failureOf(ask()))).toBe(true)
      expect(performance.now() - begun).toBeLessThan(3_000)
      await own!.goOn()
      while ((await failureOf(ask())) !== undefined) await delay(20)
      expect(performance.now() - begun).toBeLessThan(4_000)
      expect(reported).toContain('the database is not responding')
      await database.close()
    },
  )

  it('that is too busy for new connections but responds on existing ones is not reported as unresponsive', async () => {
    const reported: string[] = []
    const onError = ({ message }: Error) => void reported.push(message)
    let asked = 0
    const ask = async (): Promise<boolean> => {
      asked++
      await delay(300)
      return false
    }
    const database = await openServer(own!.url, { watch: { ...watch, ask }, onError })
    const slow = failureOf(sql`select pg_sleep(1.5)`.execute(database.db))
    for (const until = performance.now() + 1_400; performance.now() < until; await delay(20))
      await sql`select 1`.execute(database.db)
    expect(await slow).toBe(undefined)
    expect(asked).toBeGreaterThan(1)
    expect(reported).toEqual([])
    await database.close()
  })

  it('that executes a statement slowly does not fail it', async () => {
    const database = await openServer(own!.url, { watch })
    await sql`select pg_sleep(1)`.execute(database.db)
    await database.close()
  })
})
