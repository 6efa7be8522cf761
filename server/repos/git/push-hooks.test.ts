import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hooksFolder } from './folders'
import { installPushHooks, pushVariable } from './push-hooks'

const config = { repositoryDir: '' }
beforeAll(async () => {
  config.repositoryDir = await mkdtemp(join(tmpdir(), 'guildhall-hooks-'))
  await installPushHooks(config)
})
afterAll(() => rm(config.repositoryDir, { recursive: true, force: true }))

/** Runs the hook before a push of so many refs. */
async function preReceive(refs: number) {
  const push = await mkdtemp(join(config.repositoryDir, 'push-'))
  const ids = `${'0'.repeat(40)} ${'1'.repeat(40)}`
  const input = Array.from({ length: refs }, (_, index) => `${ids} refs/heads/b-${index}\n`).join('')
  const env = { PATH: process.env.PATH ?? '', [pushVariable]: push } as unknown as NodeJS.ProcessEnv
  const { status, stderr } = spawnSync(join(hooksFolder(config), 'pre-receive'), { env, input })
  return { status, stderr: stderr.toString(), push, input }
}

it('a push of ten thousand refs is noted before it is done', async () => {
  const { status, stderr, push, input } = await preReceive(10_000)
  expect([status, stderr]).toEqual([0, ''])
  expect(await readdir(push)).toEqual(['wanted'])
  expect(await readFile(join(push, 'wanted'), 'utf8')).toBe(input)
})

it('a push of more is refused, and told how many may be', async () => {
  const { status, stderr, push } = await preReceive(10_001)
  expect([status, stderr]).toEqual([1, 'Push at most 10000 branches and tags at once.\n'])
  expect(await readdir(push)).not.toContain('wanted')
})
