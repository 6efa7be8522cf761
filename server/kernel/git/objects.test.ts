import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseCommit } from './commit'
import { forgetObjects, readObjects } from './objects'
import { runGit } from './run'

let repository = ''
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'guildhall-objects-'))
  await runGit(['init', '-q', '--bare', '--', repository])
})
afterAll(() => rm(repository, { recursive: true, force: true }))

const write = async (input: string | Buffer) =>
  (await runGit(['hash-object', '-w', '--stdin'], { repository, input })).trim()

it('readObjects returns objects in the requested order, with undefined for missing objects', async () => {
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

it('readObjects truncates a large object, omits the content of a very large one, and still reads the objects after them', async () => {
  const large = await write(Buffer.alloc(300 * 1024, 'x'))
  const huge = await write(Buffer.alloc(3 * 1024 * 1024, 'y'))
  const small = await write('small')
  const objects = await readObjects(repository, [large, huge, huge, small])
  expect(objects.map(object => object?.text.length)).toEqual([64 * 1024, 0, 0, 5])
  expect(objects[1]).toMatchObject({ sha: huge, type: 'blob' })
})

it('readObjects returns the author and committer of a commit or tag with a message of 5 MB', async () => {
  const input =
    'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor Ada <ada@example.test> 1700000000 +0000\n'
  const message = `committer Ada <ada@example.test> 1700000000 +0000\n\nLong\n${'x'.repeat(5 * 1024 * 1024)}`
  await runGit(['hash-object', '-w', '-t', 'tree', '--stdin'], { repository, input: '' })
  const args = ['hash-object', '-w', '-t', 'commit', '--stdin']
  const commit = (await runGit(args, { repository, input: input + message })).trim()
  const [object] = await readObjects(repository, [commit])
  expect(object).toMatchObject({ type: 'commit', isWhole: false })
  const { author, message: shown } = parseCommit(object!)
  expect(author).toEqual({ name: 'Ada', email: 'ada@example.test', date: new Date(1700000000_000) })
  expect(shown).toMatch(/^Long\nx/)
})

it('readObjects reads through long messages up to a total size', async () => {
  const write = async (message: string) => {
    const lines = ['object 4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'type tree', 'tag v1']
    const input = `${lines.join('\n')}\ntagger Ada <a@b> 1700000000 +0000\n\n${message}`
    return (await runGit(['hash-object', '-w', '-t', 'tag', '--stdin'], { repository, input })).trim()
  }
  const long = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map(letter => write(letter.repeat(15 * 1024 * 1024))),
  )
  const short = await write('short')
  const objects = await readObjects(repository, [...long, short])
  expect(objects.map(object => (object?.text.length ?? 0) > 0)).toEqual([true, true, true, true, false, true])
})

it('readObjects returns the type of an object that Git cannot read, and still reads the objects after it', async () => {
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

it('readObjects starts no Git command for an empty list', async () => {
  expect(await readObjects('/nonexistent', [])).toEqual([])
})

it('readObjects fails if the repository does not exist', async () => {
  await expect(readObjects('/nonexistent', ['1'.repeat(40)])).rejects.toThrow('not a git repository')
})

it('readObjects remembers small objects by their ID, but neither missing ones nor other names', async () => {
  const [small, late] = ['remembered', 'written later']
  const id = await write(small)
  const lateId = (await runGit(['hash-object', '--stdin'], { input: late })).trim()
  const read = async () =>
    (await readObjects(repository, [id, `${id}^{blob}`, id.slice(0, 10), lateId])).map(object =>
      object?.text.toString(),
    )
  expect(await read()).toEqual([small, small, small, undefined])
  await write(late)
  await rm(join(repository, 'objects', id.slice(0, 2), id.slice(2)))
  expect(await read()).toEqual([small, small, undefined, late])
  const beginning = { text: Buffer.from(small.slice(0, 4)), isWhole: false }
  expect((await readObjects(repository, [id], 4))[0]).toMatchObject(beginning)
  forgetObjects(repository)
  expect(await read()).toEqual([undefined, undefined, undefined, late])
})

it('readObjects does not remember more of an object than was asked for', async () => {
  const id = await write('0123456789')
  const read = async (maxText: number) => (await readObjects(repository, [id], maxText))[0]
  expect(await read(4)).toMatchObject({ text: Buffer.from('0123'), isWhole: false })
  expect(await read(20)).toMatchObject({ text: Buffer.from('0123456789'), isWhole: true })
  expect(await read(4)).toMatchObject({ text: Buffer.from('0123'), isWhole: false })
})
