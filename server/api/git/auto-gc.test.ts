import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { createBackground } from '@/server/kernel/background'
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
