import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '../handle'
import { openEmbeddedCopy } from '../testing/embedded-template'

let open: OpenDatabase
beforeAll(async () => {
  open = await openEmbeddedCopy()
})
afterAll(() => open.close())

it('an embedded database still works after a statement fails', async () => {
  for (let i = 0; i < 5; i++) {
    await expect(open.pool.query('select * from absent')).rejects.toThrow('does not exist')
    expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  }
})

it('an embedded database rolls back a transaction that a lost client left open', async () => {
  await open.pool.query('create table kept (n int)')
  const client = await open.pool.connect()
  await client.query('begin')
  await client.query('insert into kept values (1)')
  client.release(new Error('lost'))
  expect((await open.pool.query('select count(*) as n from kept')).rows).toEqual([{ n: 0 }])
})

it('an embedded database runs concurrent queries one after the other', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => open.pool.query('select $1::int as n', [n])),
  )
  expect(answers.map(answer => answer.rows[0].n)).toEqual(Array.from({ length: 200 }, (_, n) => n))
})

it('an embedded database lets other work of the process run between statements', async () => {
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
