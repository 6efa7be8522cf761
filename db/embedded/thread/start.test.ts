// @module-tag current-node
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { copyEmbeddedDirectory } from '../../testing/embedded-template'
import { unavailabilityOf } from '../../unavailable'
import { openSession } from '../session'
import { startThread } from './start'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let home: string
let directory: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-thread-'))
  directory = join(home, 'postgres')
  await copyEmbeddedDirectory(directory)
})
afterEach(() => rm(home, { recursive: true, force: true }))

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

it('a statement in the thread does not hold up the process', async () => {
  const { pool, close } = openSession(await startThread(directory))
  await pool.query('select 1')
  let ticks = 0
  const ticking = setInterval(() => ticks++, 10)
  await pool.query('select pg_sleep(0.5)')
  clearInterval(ticking)
  expect(ticks).toBeGreaterThan(5)
  await close()
})

it('a thread that ends fails its running and all later statements as unavailable, and reports its end', async () => {
  const thread = await startThread(directory)
  const { pool, ended, close } = openSession(thread)
  await pool.query('select 1')
  const running = failureOf(pool.query('select pg_sleep(20)'))
  const waiting = failureOf(pool.query('select 2'))
  await thread.abandon()
  for (const failure of [await running, await waiting, await failureOf(pool.query('select 3'))])
    expect(unavailabilityOf(failure), String(failure)).toBe('failing')
  expect(String(await ended)).toContain('its thread has ended')
  await close()
})

it('a transaction that a lost client left open is rolled back, and all clients get their own responses', async () => {
  const { pool, close } = openSession(await startThread(directory))
  await pool.query('create table written (n int)')
  const client = await pool.connect()
  await client.query('begin')
  await client.query('insert into written values (1)')
  client.release(new Error('lost'))
  const results = await Promise.all([1, 2, 3, 4].map(n => pool.query('select $1::int as n', [n])))
  expect(results.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3, 4])
  expect((await pool.query('select n from written')).rows).toEqual([])
  await close()
})

it('statements wait while the files are copied, so the copy is one that a killed process could leave', async () => {
  const thread = await startThread(directory)
  const { pool, close } = openSession(thread)
  await pool.query('create table written (n int)')
  await pool.query('insert into written values (1)')
  const order: string[] = []
  await Promise.all([
    thread.copyFiles(join(home, 'copy')).then(() => order.push('copied')),
    pool.query('insert into written values (2)').then(() => order.push('written')),
  ])
  expect(order).toEqual(['copied', 'written'])
  await close()

  const copy = openSession(await startThread(join(home, 'copy')))
  expect((await copy.pool.query('select n from written')).rows).toEqual([{ n: 1 }])
  await copy.close()
})
