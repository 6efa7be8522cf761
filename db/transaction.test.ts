import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from './handle'
import { makeUser } from './testing/factories'
import { openTestDatabase } from './testing/test-database'
import { withTransaction } from './transaction'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const find = (name: string) =>
  open.db.selectFrom('users').select('id').where('name', '=', name).executeTakeFirst()

it('keeps nothing when the work throws', async () => {
  const failing = withTransaction(open.db, async trx => {
    await makeUser(trx, { name: 'never-kept' })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await find('never-kept')).toBeUndefined()
})

it('joins the transaction of the caller, so an inner change goes with the outer failure', async () => {
  const failing = withTransaction(open.db, async outer => {
    await withTransaction(outer, inner => makeUser(inner, { name: 'inner-change' }))
    throw new Error('outer failed')
  })
  await expect(failing).rejects.toThrow('outer failed')
  expect(await find('inner-change')).toBeUndefined()
})

it('returns what the work returns, after the commit', async () => {
  const user = await withTransaction(open.db, trx => makeUser(trx))
  expect(await find(user.name)).toEqual({ id: user.id })
})
