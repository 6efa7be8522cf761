import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataDirectory, start, startAndFail, temporaryDirectory } from './guildhall'

it('without Git, the process exits with a message that says what to install', async () => {
  await using directory = await temporaryDirectory()
  const { code, output } = await startAndFail({ GUILDHALL_DATA_DIR: directory.path, PATH: '/nonexistent' })
  expect(code).toBe(1)
  expect(output).toContain('git: not found')
  expect(output).toContain('install the git package')
  expect(output).not.toMatch(/\n\s+at /)
})

it('the process installs Git hooks that Git can run and no other user can read', async () => {
  await using directory = await dataDirectory()
  const repositories = join(directory.path, 'elsewhere')
  const guildhall = await start({
    GUILDHALL_DATA_DIR: directory.path,
    GUILDHALL_REPOSITORY_DIR: repositories,
  })
  await guildhall.end('SIGTERM')
  expect((await readdir(join(repositories, 'hooks'))).sort()).toEqual(['post-receive', 'pre-receive'])
  expect((await stat(join(repositories, 'hooks', 'pre-receive'))).mode & 0o777).toBe(0o755)
  expect((await stat(repositories)).mode & 0o077).toBe(0)
})
