import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gitOk } from '@/testing/git'
import { makeBareRepository, newStorageKey, removeBareRepository, repositoryPath } from '.'
import { intentPath, makingPath, trashFolder } from './paths'

const config = { repositoryDir: '' }
beforeAll(async () => {
  config.repositoryDir = await mkdtemp(join(tmpdir(), 'guildhall-make-'))
})
afterAll(() => rm(config.repositoryDir, { recursive: true, force: true }))

const author = {
  name: 'Jo <b>Tester</b>\nX',
  email: 'jo@example.test',
  date: new Date('2026-01-02T03:04:05Z'),
}

describe('a new bare repository', () => {
  it.each(['sha1', 'sha256'] as const)(
    'with a first commit passes `git fsck` and can be read if its object format is %s',
    async objectFormat => {
      const storageKey = newStorageKey()
      const files = { 'README.md': '# Tools\n', 'a "b"\\c/ü.txt': 'done\nM 100644 inline x\n' }
      const made = await makeBareRepository(config, {
        storageKey,
        objectFormat,
        defaultBranch: 'trunk',
        firstCommit: { message: 'Initial commit', author, files },
      })
      expect(made).toEqual({ sizeKib: expect.any(Number), branchCount: 1 })
      expect(made.sizeKib).toBeGreaterThan(0)
      const repository = repositoryPath(config, storageKey)
      await gitOk(['--git-dir', repository, 'fsck', '--strict'])
      const read = (...args: string[]) =>
        gitOk(['--git-dir', repository, '-c', 'core.quotePath=false', ...args])
      expect(await read('rev-parse', '--show-object-format')).toBe(objectFormat)
      expect(await read('symbolic-ref', 'HEAD')).toBe('refs/heads/trunk')
      expect(await read('log', '--format=%an|%ae|%at|%s')).toBe(
        `Jo b Tester /b X|jo@example.test|${author.date.getTime() / 1000}|Initial commit`,
      )
      expect(await read('cat-file', 'blob', 'trunk:a "b"\\c/ü.txt')).toBe('done\nM 100644 inline x')
    },
  )

  it('without a first commit is empty, has no hooks, and is not accessible to other system users', async () => {
    const storageKey = newStorageKey()
    const made = await makeBareRepository(config, { storageKey, objectFormat: 'sha1', defaultBranch: 'main' })
    expect(made).toEqual({ sizeKib: 0, branchCount: 0 })
    const repository = repositoryPath(config, storageKey)
    expect((await readdir(repository)).sort()).toEqual(['HEAD', 'config', 'objects', 'refs'])
    expect((await stat(join(repository, '..'))).mode & 0o077).toBe(0)
  })

  it('leaves only its intent file behind if its creation fails', async () => {
    const storageKey = newStorageKey()
    const directory = repositoryPath(config, storageKey)
    await mkdir(join(directory, 'in the way'), { recursive: true })
    const making = makeBareRepository(config, { storageKey, objectFormat: 'sha1', defaultBranch: 'main' })
    await expect(making).rejects.toThrow()
    await expect(stat(makingPath(config, storageKey))).rejects.toThrow('ENOENT')
    expect((await stat(intentPath(config, storageKey))).isFile()).toBe(true)
  })

  it.each(['-x', 'a..b', '--template=/tmp', 'x\ny'])(
    'cannot have the default branch %j',
    async defaultBranch => {
      const storageKey = newStorageKey()
      const making = makeBareRepository(config, { storageKey, objectFormat: 'sha1', defaultBranch })
      await expect(making).rejects.toThrow('not a branch name')
    },
  )

  it('is removed together with its intent file, and removing it again has no effect', async () => {
    const storageKey = newStorageKey()
    await makeBareRepository(config, { storageKey, objectFormat: 'sha1', defaultBranch: 'main' })
    await removeBareRepository(config, storageKey)
    await removeBareRepository(config, storageKey)
    await expect(stat(repositoryPath(config, storageKey))).rejects.toThrow('ENOENT')
    await expect(stat(intentPath(config, storageKey))).rejects.toThrow('ENOENT')
    expect(await readdir(trashFolder(config))).toEqual([])
  })
})
