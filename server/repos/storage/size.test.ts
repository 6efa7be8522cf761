import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gitOk } from '@/testing/git'
import { countPackedObjects } from './size'

it('countPackedObjects returns at least the number of packed objects, and at most a tenth more', async () => {
  const repository = await mkdtemp(join(tmpdir(), 'guildhall-size-'))
  await gitOk(['init', '-q', '--bare', repository])
  expect(await countPackedObjects(repository)).toBe(0)
  const commits = Array.from(
    { length: 500 },
    (_, at) => `commit refs/heads/main\ncommitter A <a@x> ${at} +0000\ndata 0\n`,
  )
  const input = `feature done\n${commits.join('')}done\n`
  await gitOk(['--git-dir', repository, '-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet'], {
    input,
  })
  const count = await countPackedObjects(repository)
  expect(count).toBeGreaterThanOrEqual(501)
  expect(count).toBeLessThan(550)
  expect(await countPackedObjects(join(repository, 'absent'))).toBe(0)
  await rm(repository, { recursive: true })
})
