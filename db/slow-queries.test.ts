import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openSession } from './embedded/session'
import { openEmbeddedCopy } from './testing/embedded-template'

it('reports a statement that takes a second, without its values', async () => {
  const found: unknown[] = []
  const { engine, close } = await openEmbeddedCopy()
  if (!engine) throw new Error('not embedded')
  const { db } = openSession(engine, { onSlow: query => found.push(query) })
  await sql`select 1`.execute(db)
  await sql`select pg_sleep(1.1), ${'secret'}::text`.execute(db)
  expect(found).toEqual([{ sql: 'select pg_sleep(1.1), $1::text', duration: expect.any(Number) }])
  await close()
})
