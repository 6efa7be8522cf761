import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { ConfigError } from '../config-error'
import { isRecentEnough, requireGit } from './require'

afterEach(() => vi.unstubAllEnvs())

it('requireGit accepts the installed version of Git', async () => {
  await requireGit()
})

it('requireGit says what to install if Git is missing', async () => {
  vi.stubEnv('PATH', '/nonexistent')
  await expect(requireGit()).rejects.toThrow(ConfigError)
  await expect(requireGit()).rejects.toThrow(/^git: not found .*install the git package/)
})

it('requireGit names the required version if Git is too old', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-old-git-'))
  await writeFile(join(directory, 'git'), '#!/bin/sh\necho git version 2.30.9\n')
  await chmod(join(directory, 'git'), 0o755)
  vi.stubEnv('PATH', `${directory}:/usr/bin:/bin`)
  await expect(requireGit()).rejects.toThrow('git version 2.30.9 is too old; install version 2.31 or newer')
  await rm(directory, { recursive: true })
})

it.each([
  ['git version 2.31.0', true],
  ['git version 2.39.5 (Apple Git-154)', true],
  ['git version 3.0.0', true],
  ['git version 2.30.2', false],
  ['git version 1.99.0', false],
  ['nonsense', false],
])('isRecentEnough("%s") returns %s', (text, expected) => expect(isRecentEnough(text)).toBe(expected))
