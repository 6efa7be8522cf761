import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '../handle'
import { openEmbeddedCopy } from '../testing/embedded-template'

let open: OpenDatabase
beforeAll(async () => {
  open = await openEmbeddedCopy()
})
afterAll(() => open.close())

it('goes on after a statement that fails', async () => {
  for (let i = 0; i < 5; i++) {
    await expect(open.pool.query('select * from absent')).rejects.toThrow('does not exist')
    expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  }
})

it('never hands on a transaction that a lost client left open', async () => {
  await open.pool.query('create table kept (n int)')
  const client = await open.pool.connect()
  await client.query('begin')
  await client.query('insert into kept values (1)')
  client.release(new Error('lost'))
  expect((await open.pool.query('select count(*) as n from kept')).rows).toEqual([{ n: 0 }])
})

it('serves many callers at once, one after the other', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => open.pool.query('select $1::int as n', [n])),
  )
  expect(answers.map(answer => answer.rows[0].n)).toEqual(Array.from({ length: 200 }, (_, n) => n))
})

it('lets the process do what else is due between the statements of those who ask', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 50 }, () => open.pool.query('select 1')))
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(50)
})
