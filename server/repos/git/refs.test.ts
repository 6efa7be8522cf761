import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runGit } from '@/server/kernel/git/run'
import { findRef, listRefs, makeBareRepository, newStorageKey, repositoryPath, setHead } from '.'

let config: { repositoryDir: string }
beforeAll(async () => {
  config = { repositoryDir: await mkdtemp(join(tmpdir(), 'guildhall-refs-')) }
})
afterAll(() => rm(config.repositoryDir, { recursive: true, force: true }))

it('x', async () => {
  const storageKey = newStorageKey()
  const date = new Date('2026-01-02T03:04:05Z')
  console.log(
    await makeBareRepository(config, {
      storageKey,
      objectFormat: 'sha256',
      defaultBranch: 'main',
      firstCommit: {
        message: 'First\n\nbody',
        author: { name: 'Jo <x', email: 'jo@example.test', date },
        files: { 'README.md': '# x\n', 'a "b"/c.txt': 'y' },
      },
    }),
  )
  const repository = repositoryPath(config, storageKey)
  await runGit(['branch', 'a/b', 'main'], { repository })
  await runGit(['-c', 'user.name=t', '-c', 'user.email=e', 'tag', '-a', 'v1', '-m', 'tagged', 'main'], {
    repository,
  })
  console.dir(await listRefs(config, storageKey, 'heads', { offset: 0, limit: 10 }), { depth: 5 })
  console.dir(await listRefs(config, storageKey, 'tags', { offset: 0, limit: 10 }), { depth: 5 })
  console.dir(await findRef(config, storageKey, 'heads', 'a/b'))
  expect(await findRef(config, storageKey, 'heads', 'a')).toBeUndefined()
  await setHead(config, storageKey, 'a/b')
})
