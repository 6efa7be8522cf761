import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { series } from '@/testing/series'
import { compileScript, type Script } from '../testing/child-process'
import { copyEmbeddedDirectory } from '../testing/embedded-template'
import { openEmbedded } from './open'

// Creating an embedded database takes seconds, and longer on a busy host.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// Commits numbered rows and prints each number once it is acknowledged.
const writer = `
  import { sql } from 'kysely'
  import { openEmbedded } from './db/embedded/open'
  const { db } = await openEmbedded(process.argv[2])
  await sql\`create table if not exists written (n bigint primary key)\`.execute(db)
  console.log('open')
  for (let n = 1; ; n++) {
    await sql\`insert into written values (\${n})\`.execute(db)
    console.log(n)
  }`

let script: Script
let home: string
let directory: string

beforeAll(async () => {
  script = await compileScript(writer)
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-embedded-'))
  directory = join(home, 'data', 'postgres')
})
afterEach(() => rm(home, { recursive: true, force: true }))
afterAll(() => script.remove())

it('an embedded database keeps every acknowledged commit when its process is killed', async () => {
  await copyEmbeddedDirectory(directory)
  const child = script.start([directory])
  let acknowledged = 0
  while (acknowledged < 50) {
    const line = await child.line()
    if (line !== 'open') acknowledged = Number(line)
  }
  child.process.kill('SIGKILL')
  for (let line = await child.line(); line !== undefined; line = await child.line())
    acknowledged = Number(line)

  const open = await openEmbedded(directory)
  const { rows } = await sql<{ n: number; max: number }>`
    select count(*) as n, max(n) as max from written`.execute(open.db)
  expect(rows[0]!.n).toBeGreaterThanOrEqual(acknowledged)
  expect(rows[0]!.max).toBe(rows[0]!.n)
  await open.close()
})

it('an embedded database returns int8 values as numbers', async () => {
  await copyEmbeddedDirectory(directory)
  const open = await openEmbedded(directory)
  const { rows } = await sql`select 9007199254740991::int8 as n, array[1, null, 2]::int8[] as list`.execute(
    open.db,
  )
  expect(rows).toEqual([{ n: 9007199254740991, list: [1, null, 2] }])
  await expect(sql`select 9007199254740992::int8`.execute(open.db)).rejects.toThrow(
    'outside the safe integer range',
  )
  await open.close()
})

it('openEmbedded creates a database that only its owner can read, even after an interrupted attempt', {
  tags: 'series',
}, async () => {
  // Killed in the middle; in the long series, also just after the start and shortly before the end.
  for (const made of series(['global/pg_control'], ['', 'global/pg_control', 'PG_VERSION'])) {
    const child = script.start([directory])
    const reached = () => existsSync(join(`${directory}.new`, made)) || existsSync(directory)
    while (!reached() && child.process.exitCode === null) await delay(5)
    child.process.kill('SIGKILL')
    expect(await child.ended()).toMatchObject({ code: null })
  }
  const open = await openEmbedded(directory)
  expect((await open.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await open.close()
  await open.close()
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  expect(await readdir(join(home, 'data'))).toEqual(['postgres'])
})

it('openEmbedded rejects a directory with other files, and a database of another major version', async () => {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'notes.txt'), 'mine')
  await expect(openEmbedded(directory)).rejects.toThrow('contains files but no database')
  await writeFile(join(directory, 'PG_VERSION'), '17\n')
  await expect(openEmbedded(directory)).rejects.toThrow('was created by PostgreSQL 17')
  expect(await readdir(directory)).toEqual(['PG_VERSION', 'notes.txt'])
})
