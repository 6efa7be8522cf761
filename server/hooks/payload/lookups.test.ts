import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeOrg, makeUser } from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { lookupsOf } from './lookups'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

/** A database handle that counts its queries. */
function counting(): { db: Db; count: () => number } {
  let queries = 0
  const db = open.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      queries += 1
      return result
    },
  })
  return { db, count: () => queries }
}

it('lookups in the same tick share one query, and later lookups return the current rows', async () => {
  const { db, count } = counting()
  const user = await makeUser(open.db)
  const org = await makeOrg(open.db, user.id)
  const ask = () =>
    Promise.all([
      lookupsOf(db).accounts([user.id]),
      lookupsOf(db).accounts([org.id, user.id]),
      lookupsOf(db).accounts([]),
      lookupsOf(db).teams([org.ownersTeamId]),
    ])
  const [first, second, none, teams] = await ask()
  expect(count()).toBe(2)
  expect([first.get(user.id)?.name, second.get(org.id)?.name]).toEqual([user.name, org.name])
  expect([none.size, teams.get(org.ownersTeamId)?.name]).toEqual([0, 'Owners'])
  await open.db.updateTable('users').set({ full_name: 'Renamed' }).where('id', '=', user.id).execute()
  const [again] = await ask()
  expect(again.get(user.id)?.full_name).toBe('Renamed')
  expect(count()).toBe(4)
})
