import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '@/server/kernel/log'
import { gitOk } from '@/testing/git'
import { createAutoGc } from './auto-gc'
import { GitHttpError } from './errors'
import type { Reserve } from './limits'

let repository = ''
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'guildhall-auto-gc-'))
  await gitOk(['init', '-q', '--bare', repository])
})
afterAll(() => rm(repository, { recursive: true }))

it('a repository for whose tidying there is no memory is tidied up later, without another push', async () => {
  const autoGc = createAutoGc(createLog('silent'), { retryMs: 20 })
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
