import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { fixedQuery } from './fixed-query'
import { openEmbeddedCopy } from './testing/embedded-template'
import { withTransaction } from './transaction'

const { db, close } = await openEmbeddedCopy()
afterAll(close)

it('a fixed query is built once and returns the rows for the values of each call, in transactions too', async () => {
  let built = 0
  const namesOf = fixedQuery((at, { id, name, limit }: { id: number; name: string; limit: number }) => {
    built++
    return at
      .selectNoFrom([sql<number>`${id}::int + 1`.as('next'), sql<string>`${name}::text`.as('name')])
      .limit(limit)
  })
  expect(await namesOf(db, { id: 1, name: 'ada', limit: 1 })).toEqual([{ next: 2, name: 'ada' }])
  expect(await namesOf(db, { id: 2, name: 'bob', limit: 0 })).toEqual([])
  const inside = await withTransaction(db, trx => namesOf(trx, { id: 3, name: 'eve', limit: 1 }))
  expect(inside).toEqual([{ next: 4, name: 'eve' }])
  expect(built).toBe(1)
})

it('values can be in objects and null, and an object is not a value', async () => {
  type Person = { person: { name: string | null }; age: number }
  const read = fixedQuery(
    (_, { person, age }: Person) =>
      sql<{ name: string | null; age: number }>`select ${person.name}::text as name, ${age}::int as age`,
  )
  expect(await read(db, { age: 1, person: { name: null } })).toEqual([{ name: null, age: 1 }])
  expect(await read(db, { person: { name: 'ada' }, age: 2 })).toEqual([{ name: 'ada', age: 2 }])
  const whole = fixedQuery((_, { person }: Person) => sql`select ${person}::jsonb`)
  await expect(whole(db, { person: { name: 'ada' }, age: 2 })).rejects.toThrow('is an object')
})
