import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { createBackground } from '@/server/kernel/background'
import { readObjects } from '@/server/kernel/git/objects'
import { readerPool } from '@/server/kernel/git/readers/pool'
import { createLog } from '@/server/kernel/log'
import { gitOk } from '@/testing/git'
import { createAutoGc } from './auto-gc'
import { GitHttpError } from './errors'
import type { Reserve } from './limits'

const log = createLog('silent')
let repository = ''
let database: OpenDatabase
let db: Db
beforeAll(async () => {
  database = await openTestDatabase()
  db = database.db
  repository = await mkdtemp(join(tmpdir(), 'guildhall-auto-gc-'))
  await gitOk(['init', '-q', '--bare', repository])
})
afterAll(async () => {
  await database.close()
  await rm(repository, { recursive: true })
})

it('git gc runs later, without another push, if there is no memory for it', async () => {
  const autoGc = createAutoGc({ db, log, background: createBackground() }, { retryMs: 20 })
  let asked = 0
  const done = new Promise<void>((resolve, reject) => {
    const reserve: Reserve = async (wanted, work) => {
      if (++asked < 3) throw new GitHttpError(503, 'too much')
      await work(wanted).then(resolve, reject)
    }
    autoGc(repository, reserve)
    autoGc(repository, reserve)
  })
  await done
  expect(asked).toBe(3)
})

it('maintenance writes a commit-graph with changed paths, and ends the readers that keep deleted packs', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-auto-gc-'))
  const inside = (args: string[], input?: string) => gitOk(['--git-dir', directory, ...args], { input })
  await gitOk(['init', '-q', '--bare', directory])
  await inside(['config', 'gc.autoPackLimit', '1'])
  const autoGc = createAutoGc({ db, log, background: createBackground() })
  const maintain = () =>
    new Promise<void>((resolve, reject) =>
      autoGc(directory, (wanted, work) => work(wanted).then(resolve, reject)),
    )
  const commit = async (message: string) => {
    const id = await inside(['commit-tree', tree, '-m', message])
    await inside(['update-ref', `refs/heads/${message}`, id])
    await inside(['repack', '-q'])
    return id
  }
  const tree = await inside(['hash-object', '-w', '-t', 'tree', '--stdin'], '')
  const ids = [await commit('one')]
  await maintain()
  const graphs = join(directory, 'objects/info/commit-graphs')
  const [layer = ''] = (await readdir(graphs)).filter(name => name.endsWith('.graph'))
  expect(await readFile(join(graphs, layer), 'latin1')).toContain('BDAT')
  ids.push(await commit('two'), await commit('three'))
  await readObjects(directory, ids)
  const { idlePids } = readerPool()
  const [reader] = idlePids().slice(-1)
  await maintain()
  expect(idlePids()).not.toContain(reader)
  expect(await readdir(join(directory, 'objects/pack'))).toHaveLength(3)
  expect((await readObjects(directory, ids)).map(object => object?.sha)).toEqual(ids)
  await inside(['commit-graph', 'verify'])
  await rm(directory, { recursive: true })
})

it('git gc waits while a backup is running', async () => {
  const autoGc = createAutoGc({ db, log, background: createBackground() }, { retryMs: 20 })
  const heldUntil = new Date(Date.now() + 60_000)
  await db.insertInto('backups').values({ held_until: heldUntil }).execute()
  let asked = 0
  const done = new Promise<void>(resolve => {
    autoGc(repository, async () => {
      asked++
      resolve()
    })
  })
  await sleep(100)
  expect(asked).toBe(0)
  await db.deleteFrom('backups').execute()
  await done
})

it('git gc is not started once the process stops, and the stop waits for none', async () => {
  const background = createBackground()
  const autoGc = createAutoGc({ db, log, background }, { retryMs: 1 })
  let began: Promise<void> | undefined
  const asked = new Promise<void>(resolve => {
    const whenStopping: Reserve = async (wanted, work) => {
      resolve()
      await new Promise(stopped => background.stopping.addEventListener('abort', stopped))
      began = work(wanted)
      await began
    }
    for (const name of [repository, `${repository}/b`, `${repository}/c`]) autoGc(name, whenStopping)
  })
  await asked
  expect(await background.stop(5000)).toBe(true)
  await expect(began).rejects.toThrow(background.stopping.reason)
})
