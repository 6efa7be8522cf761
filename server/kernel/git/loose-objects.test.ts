import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeLooseObjects } from './loose-objects'
import { bytesOf, newObject } from './new-object'
import { runGit } from './run'

async function makeRepository(format: string): Promise<string> {
  const repository = await mkdtemp(join(tmpdir(), 'guildhall-loose-'))
  onTestFinished(() => rm(repository, { recursive: true, force: true }))
  await runGit(['init', '-q', '--bare', `--object-format=${format}`, repository])
  return repository
}

it.each(['sha1', 'sha256'] as const)('Git reads loose objects that are named by %s', async format => {
  const repository = await makeRepository(format)
  const blob = await newObject(format, 'blob', bytesOf(Buffer.from('text\n')))
  const entry = Buffer.concat([Buffer.from('100644 a\0'), Buffer.from(blob.id, 'hex')])
  const tree = await newObject(format, 'tree', bytesOf(entry))
  expect(await writeLooseObjects(repository, [blob, tree])).toBeGreaterThan(20)
  expect(await runGit(['cat-file', 'blob', `${tree.id}:a`], { repository })).toBe('text\n')
  expect(await runGit(['fsck', '--strict', '--no-dangling', '--full'], { repository })).toBe('')
  const names = await readdir(join(repository, 'objects'))
  expect(names.filter(name => name.startsWith('tmp_'))).toEqual([])
})

it('an object that exists is marked as used now, so that Git does not prune it', async () => {
  const repository = await makeRepository('sha1')
  const blob = await newObject('sha1', 'blob', bytesOf(Buffer.from('text\n')))
  await writeLooseObjects(repository, [blob])
  const path = join(repository, 'objects', blob.id.slice(0, 2), blob.id.slice(2))
  await utimes(path, 1, 1)
  expect(await writeLooseObjects(repository, [blob])).toBe(0)
  expect(Date.now() - (await stat(path)).mtimeMs).toBeLessThan(60_000)
})

it('a repository that was removed does not come back', async () => {
  const repository = await makeRepository('sha1')
  await rm(repository, { recursive: true })
  const blob = await newObject('sha1', 'blob', bytesOf(Buffer.from('text\n')))
  await expect(writeLooseObjects(repository, [blob])).rejects.toThrow('ENOENT')
  await expect(stat(repository)).rejects.toThrow('ENOENT')
})
