import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gitEnvironment } from './environment'
import { runGit } from './run'

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guildhall-environment-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(directory, { recursive: true, force: true })
})

it('passes on nothing of ours but the search path', () => {
  vi.stubEnv('GIT_DIR', '/somewhere')
  vi.stubEnv('GIT_SSH_COMMAND', 'touch /tmp/x')
  vi.stubEnv('GUILDHALL_SECRET_KEY', 'secret')
  vi.stubEnv('DATABASE_URL', 'postgres://secret')
  const environment = gitEnvironment()
  expect(environment.PATH).toBe(process.env.PATH)
  for (const name of ['GIT_DIR', 'GIT_SSH_COMMAND', 'GUILDHALL_SECRET_KEY', 'DATABASE_URL']) {
    expect(environment).not.toHaveProperty(name)
  }
})

it('no setting of this machine or person reaches git, and ours do', async () => {
  await writeFile(join(directory, '.gitconfig'), '[core]\n\thooksPath = /from/home\n[user]\n\tname = Home\n')
  vi.stubEnv('HOME', directory)
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(directory, '.gitconfig'))
  vi.stubEnv('GIT_CONFIG_PARAMETERS', "'user.email'='from@environment'")
  vi.stubEnv('GIT_CONFIG_COUNT', '1')
  vi.stubEnv('GIT_CONFIG_KEY_0', 'user.signingkey')
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'inherited')
  const listed = await runGit(['config', '--list'], { settings: { 'core.hookspath': '/ours; $(x) "y"' } })
  expect(listed.trim().split('\n').sort()).toEqual(['core.hookspath=/ours; $(x) "y"', 'safe.directory=*'])
})
