import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEmbeddedCopy } from '@/db/testing/embedded-template'
import { domainErrorOf } from './domain-error-of'
import { errorTable } from './errors'
import { createLog } from './log'

it('domainErrorOf turns a statement or lock timeout into status 503 with a message and Retry-After', async () => {
  const database = await openEmbeddedCopy()
  const lines: object[] = []
  const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
  for (const state of ['57014', '55P03']) {
    const ended = sql.raw(`do $$ begin raise exception 'ended' using errcode = '${state}'; end $$`)
    const failure = await ended.execute(database.db).catch((error: unknown) => error)
    const refusal = domainErrorOf(failure, { log, requestId: 'test' })!
    // Logged with the stack, because one of our own statements may be too slow.
    expect(lines.at(-1)).toMatchObject({ level: 'warn', err: { stack: expect.stringContaining('at ') } })
    expect(refusal.message).toBe('the database is taking too long to respond; try again in a moment')
    expect([errorTable[refusal.kind].status, refusal.retryAfterSeconds]).toEqual([503, 5])
  }
  await database.close()
})
