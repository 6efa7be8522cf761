import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBackground } from '@/server/kernel/background'
import { createLog } from '@/server/kernel/log'
import { gitOk } from '@/testing/git'
import { createAutoGc } from './auto-gc'
import { GitHttpError } from './errors'
import type { Reserve } from './limits'

const log = createLog('silent')
let repository = ''
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'guildhall-auto-gc-'))
  await gitOk(['init', '-q', '--bare', repository])
})
afterAll(() => rm(repository, { recursive: true }))

it('git gc runs later, without another push, if there is no memory for it', async () => {
  const autoGc = createAutoGc({ log, background: createBackground() }, { retryMs: 20 })
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

it('git gc is not started once the process stops, and the stop waits for none', async () => {
  const background = createBackground()
  const autoGc = createAutoGc({ log, background }, { retryMs: 1 })
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
