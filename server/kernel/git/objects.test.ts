import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readObjects } from './objects'
import { runGit } from './run'

let repository = ''
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
  await runGit(['init', '-q', '--bare', '--', repository])
})
afterAll(() => rm(repository, { recursive: true, force: true }))

const write = async (input: string | Buffer) =>
  (await runGit(['hash-object', '-w', '--stdin'], { repository, input })).trim()

it('gives objects in order, with undefined for those that are not there', async () => {
  const [first, empty, last] = [await write('first\n'), await write(''), await write('\0last')]
  const absent = '1'.repeat(40)
  const objects = await readObjects(repository, [last, absent, first, empty, `${first}^{commit}`, first])
  expect(objects.map(object => object?.text.toString())).toEqual([
    '\0last',
    undefined,
    'first\n',
    '',
    undefined,
    'first\n',
  ])
  expect(objects[2]).toMatchObject({ sha: first, type: 'blob' })
})

it('keeps the beginning of a large one, nothing of a very large one, and goes on behind both', async () => {
  const large = await write(Buffer.alloc(300 * 1024, 'x'))
  const huge = await write(Buffer.alloc(3 * 1024 * 1024, 'y'))
  const small = await write('small')
  const objects = await readObjects(repository, [large, huge, huge, small])
  expect(objects.map(object => object?.text.length)).toEqual([64 * 1024, 0, 0, 5])
  expect(objects[1]).toMatchObject({ sha: huge, type: 'blob' })
})

it('knows of one that git cannot read what it is, and goes on behind it', async () => {
  const [before, broken, after] = [
    await write('before'),
    await write(randomBytes(20_000)),
    await write('after'),
  ]
  const file = join(repository, 'objects', broken.slice(0, 2), broken.slice(2))
  const bytes = await readFile(file)
  await chmod(file, 0o644)
  await writeFile(file, bytes.subarray(0, bytes.length / 2))
  const objects = await readObjects(repository, [before, broken, after, broken])
  expect(objects.map(object => object?.type)).toEqual(['blob', 'blob', 'blob', 'blob'])
  expect([objects[0], objects[2]].map(object => object?.text.toString())).toEqual(['before', 'after'])
  expect(objects[1]?.isWhole).toBe(false)
})

it('starts nothing for nothing', async () => {
  expect(await readObjects('/nonexistent', [])).toEqual([])
})

it('fails where there is no repository', async () => {
  await expect(readObjects('/nonexistent', ['1'.repeat(40)])).rejects.toThrow('not a git repository')
})
