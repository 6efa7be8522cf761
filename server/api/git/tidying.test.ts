import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '@/server/kernel/log'
import { gitOk } from '@/testing/git'
import { GitHttpError } from './errors'
import type { Reserve } from './limits'
import { createTidying } from './tidying'

let repository = ''
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'guildhall-tidying-'))
  await gitOk(['init', '-q', '--bare', repository])
})
afterAll(() => rm(repository, { recursive: true }))

it('a repository for whose tidying there is no memory is tidied up later, without another push', async () => {
  const tidyUp = createTidying(createLog('silent'), { againMs: 20 })
  let asked = 0
  const done = new Promise<void>((resolve, reject) => {
    const reserve: Reserve = async (wanted, work) => {
      if (++asked < 3) throw new GitHttpError(503, 'too much')
      await work(wanted).then(resolve, reject)
    }
    tidyUp(repository, reserve)
    tidyUp(repository, reserve)
  })
  await done
  expect(asked).toBe(3)
})
