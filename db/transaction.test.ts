import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from './handle'
import { openEmbeddedCopy } from './testing/embedded-template'
import { makeUser } from './testing/factories'
import { startPostgres } from './testing/postgres-server'
import { openServerCopy } from './testing/server-template'
import { afterCommit, dryRun, RetryTransaction, withTransaction } from './transaction'
import { timedOut } from './violation'

let open: OpenDatabase
beforeAll(async () => {
  open = await openEmbeddedCopy()
})
afterAll(() => open.close())

const find = (name: string) =>
  open.db.selectFrom('users').select('id').where('name', '=', name).executeTakeFirst()

it('withTransaction rolls back when the work throws', async () => {
  const failing = withTransaction(open.db, async trx => {
    await makeUser(trx, { name: 'never-kept' })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await find('never-kept')).toBeUndefined()
})

it('withTransaction joins the caller’s transaction, so an inner change is rolled back with the outer one', async () => {
  const failing = withTransaction(open.db, async outer => {
    await withTransaction(outer, inner => makeUser(inner, { name: 'inner-change' }))
    throw new Error('outer failed')
  })
  await expect(failing).rejects.toThrow('outer failed')
  expect(await find('inner-change')).toBeUndefined()
})

it('withTransaction returns the result of the work after the commit', async () => {
  const user = await withTransaction(open.db, trx => makeUser(trx))
  expect(await find(user.name)).toEqual({ id: user.id })
})

it.each([
  ['a transaction', withTransaction],
  ['a dry run', dryRun],
])(
  '%s is rolled back and retried as a whole when nested work throws RetryTransaction',
  async (_, transaction) => {
    const tries: number[] = []
    const kept = await transaction(open.db, outer =>
      withTransaction(outer, async inner => {
        const before = await inner.selectFrom('users').select('id').where('name', 'like', 'anew-%').execute()
        tries.push(before.length)
        const user = await makeUser(inner, { name: `anew-${tries.length}` })
        if (tries.length < 3) throw new RetryTransaction()
        return user.name
      }),
    )
    expect([kept, tries]).toEqual(['anew-3', [0, 0, 0]])
    await open.db.deleteFrom('users').where('name', '=', kept).execute()
  },
)

it('a dry run keeps no changes and restores the timeouts of the connection', async () => {
  const user = await dryRun(open.db, trx => makeUser(trx))
  expect(await find(user.name)).toBeUndefined()
  const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(open.db)
  expect(rows).toEqual([{ lock_timeout: '0' }])
})

const server = await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(!server)('a dry run on a server', () => {
  it('fails when it waits too long for a lock or when a statement takes too long', async () => {
    const { db, close } = await openServerCopy(server!.url)
    const user = await makeUser(db)
    const timeouts = { lockMs: 50, statementMs: 5_000 }
    const outcome = (run: Parameters<typeof dryRun>[1], limits: typeof timeouts) =>
      dryRun(db, run, limits).then(() => 'done', timedOut)
    await withTransaction(db, async holder => {
      await holder.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
      const wait: Parameters<typeof dryRun>[1] = trx =>
        trx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
      expect(await outcome(wait, timeouts)).toBe('lock')
    })
    const sleep: Parameters<typeof dryRun>[1] = trx => sql`select pg_sleep(20)`.execute(trx)
    expect(await outcome(sleep, { lockMs: 50, statementMs: 50 })).toBe('statement')
    await close()
  })
})

describe('an afterCommit callback', () => {
  it('runs after the outermost commit, in order of registration, and immediately outside a transaction', async () => {
    const done: unknown[] = []
    const user = await withTransaction(open.db, async outer => {
      afterCommit(outer, () => done.push('outer'))
      const made = await withTransaction(outer, async inner => {
        afterCommit(inner.withoutPlugins(), () => done.push('inner'))
        return await makeUser(inner)
      })
      expect(done).toEqual([])
      afterCommit(outer, () => void find(made.name).then(found => done.push(found)))
      return made
    })
    expect(done).toEqual(['outer', 'inner'])
    await vi.waitFor(() => expect(done[2]).toEqual({ id: user.id }))
    afterCommit(open.db, () => done.push('alone'))
    expect(done[3]).toBe('alone')
  })

  it('does not run after a rollback, a dry run, or an attempt that is retried', async () => {
    const done: string[] = []
    const failing = withTransaction(open.db, async trx => {
      afterCommit(trx, () => done.push('failed'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await dryRun(open.db, trx =>
      withTransaction(trx, async inner => afterCommit(inner, () => done.push('dry'))),
    )
    let tries = 0
    await withTransaction(open.db, async trx => {
      tries += 1
      afterCommit(trx, () => done.push(`try ${tries}`))
      if (tries < 3) throw new RetryTransaction()
    })
    expect(done).toEqual(['try 3'])
  })

  it('that throws causes a warning, but fails neither the transaction nor other callbacks', async () => {
    const warned = once(process, 'warning')
    const done: string[] = []
    const result = await withTransaction(open.db, async trx => {
      afterCommit(trx, () => {
        throw new RetryTransaction('a listener failed')
      })
      afterCommit(trx, () => done.push('next'))
      return 'committed'
    })
    expect([result, done]).toEqual(['committed', ['next']])
    expect((await warned)[0].message).toBe('a listener failed')
  })
})
