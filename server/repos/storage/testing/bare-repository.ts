import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { anonymous } from '@/server/kernel/caller'
import { gitOk } from '@/testing/git'
import { makeBareRepository, newStorageKey, repositoryPath } from '..'
import type { RefsCtx } from '../refs'

export const firstAuthor = { name: 'Jo', email: 'jo@example.test', date: new Date('2026-01-02T03:04:05Z') }

export interface BareRepository {
  ctx: RefsCtx
  key: string
  /** Runs `git` in the repository and returns its output. */
  inside(args: string[], input?: string): Promise<string>
}

/**
 * Creates a bare repository for the tests of one file, with one commit on the branch `main` unless `isEmpty`
 * is set.
 */
export function useBareRepository({ isEmpty = false } = {}): BareRepository {
  const config = { repositoryDir: '' }
  const key = newStorageKey()
  const firstCommit = { message: 'First\n\nWith a body', author: firstAuthor, files: { 'README.md': 'x\n' } }
  beforeAll(async () => {
    config.repositoryDir = await mkdtemp(join(tmpdir(), 'guildhall-refs-'))
    await makeBareRepository(config, {
      storageKey: key,
      objectFormat: 'sha1',
      defaultBranch: 'main',
      firstCommit: isEmpty ? undefined : firstCommit,
    })
  })
  afterAll(() => rm(config.repositoryDir, { recursive: true, force: true }))
  return {
    ctx: { config, caller: anonymous, remoteAddress: '' },
    key,
    inside: (args, input) => gitOk(['--git-dir', repositoryPath(config, key), ...args], { input }),
  }
}
