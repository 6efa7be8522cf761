import { type RawBuilder, sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { prepared } from './prepared'
import { openEmbeddedCopy } from './testing/embedded-template'
import { startPostgres } from './testing/postgres-server'
import { openServerCopy } from './testing/server-template'
import { unavailabilityOf } from './unavailable'

const server = await startPostgres()
afterAll(() => server?.stop())

const doubled = (value: number): RawBuilder<{ doubled: number }> =>
  sql`${prepared} select ${value}::int * 2 as doubled`

describe.skipIf(!server)('on a server, a query marked as prepared', () => {
  it('is prepared once per connection and returns the right row for each parameter value', async () => {
    const { db, close } = await openServerCopy(server!.url)
    await db.connection().execute(async connection => {
      for (const value of [1, 21]) {
        expect((await doubled(value).execute(connection)).rows).toEqual([{ doubled: 2 * value }])
      }
      await sql`select ${1}::int as other`.execute(connection)
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where not from_sql`.execute(connection)
      expect(rows.map(row => row.statement)).toEqual(['/* prepared */ select $1::int * 2 as doubled'])
    })
    await close()
  })

  it('still works after a table that it reads is altered', async () => {
    const { db, close } = await openServerCopy(server!.url)
    const count = sql<{ count: number }>`${prepared} select count(*) from users where is_admin`
    await db.connection().execute(async connection => {
      await count.execute(connection)
      await sql`alter table users add column another text`.execute(connection)
      await sql`create index another on users (another)`.execute(connection)
      expect((await count.execute(connection)).rows).toEqual([{ count: 0 }])
    })
    await close()
  })

  it('fails like others if the database accepts no changes', async () => {
    const { db, close } = await openServerCopy(server!.url)
    await db.connection().execute(async connection => {
      await sql`set default_transaction_read_only = on`.execute(connection)
      const change = sql`${prepared} update users set is_admin = true where id = ${1}`
      const failure = await change.execute(connection).catch((error: unknown) => error)
      expect(unavailabilityOf(failure)).toBe('readOnly')
    })
    await close()
  })
})

it('each client of the embedded database prepares queries under names of its own, because they share a session', async () => {
  const { pool, close } = await openEmbeddedCopy()
  const text = '/* prepared */ select $1::int * 2 as doubled'
  const prepared = async () =>
    (await pool.query('select statement from pg_prepared_statements order by 1')).rows.map(
      ({ statement }) => statement,
    )
  const clients = await Promise.all([pool.connect(), pool.connect()])
  for (const value of [1, 21]) {
    for (const client of clients) {
      expect((await client.query(text, [value])).rows).toEqual([{ doubled: 2 * value }])
    }
  }
  // As libraries do.
  for (const client of clients) {
    const { rows } = await client.query({ name: 'one', text: 'select $1::int as one', values: [1] })
    expect(rows).toEqual([{ one: 1 }])
  }
  for (const client of clients) client.release(true)
  expect(await prepared()).toEqual([text, text, 'select $1::int as one', 'select $1::int as one'])
  expect((await pool.query(text, [4])).rows).toEqual([{ doubled: 8 }])
  await close()
})
