import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { GitError } from '@/server/kernel/git/run'
import { repositoryPath } from '@/server/repos/storage'
import { useBareRepository } from '@/server/repos/storage/testing/bare-repository'
import { readDiff } from './read-diff'
import type { DiffFile } from './schema'
import { commitFiles, type FilesToCommit } from './testing/commit-files'

const bare = useBareRepository({ isEmpty: true })
const commit = (files: FilesToCommit, ...parents: string[]) => commitFiles(bare, files, parents)
const read = (base: string | undefined, head: string, extra: object = {}) =>
  readDiff(repositoryPath(bare.ctx.config, bare.key), { base, head, ignoreWhitespace: false, ...extra })

const shown = (file: DiffFile | undefined) =>
  file?.hunks.flatMap(hunk => hunk.lines.map(line => line.kind + line.text))

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `line ${index + from}\n`).join('')

describe('readDiff', () => {
  it('returns lines with their numbers, the function they are in, and the words that changed', async () => {
    const before = `function first() {\n${numbered(8).replaceAll('line', '  call')}  const size = 12\n}\n`
    const base = await commit({ 'a.js': before })
    const head = await commit({ 'a.js': before.replace('size = 12', 'size = 2048') }, base)
    const { files, ...totals } = await read(base, head)
    expect(totals).toEqual({ additions: 1, deletions: 1, filesChanged: 1, isTruncated: false })
    const [hunk] = files[0]!.hunks
    expect(hunk).toMatchObject({ header: 'function first() {', oldStart: 7, newStart: 7 })
    expect(hunk?.lines.slice(3)).toEqual([
      { kind: '-', text: '  const size = 12', oldNumber: 10, mark: [15, 17] },
      { kind: '+', text: '  const size = 2048', newNumber: 10, mark: [15, 19] },
      { kind: ' ', text: '}', oldNumber: 11, newNumber: 11 },
    ])
  })

  it('returns renames, modes, symbolic links, submodules and binary files as what they are', async () => {
    const base = await commit({
      'old name.txt': numbered(20),
      run: 'x\n',
      link: { mode: '120000', text: 'target' },
      image: 'a\0b',
      lib: { mode: '160000', text: '1'.repeat(40) },
      'yarn.lock': 'a\n',
    })
    const head = await commit(
      {
        '"old name.txt"': null,
        'new.txt': `${numbered(19)}other\n`,
        run: { mode: '100755', text: 'x\n' },
        link: 'a file\n',
        image: 'a\0c',
        lib: { mode: '160000', text: '2'.repeat(40) },
        'yarn.lock': 'b\n',
      },
      base,
    )
    const files = Object.fromEntries((await read(base, head)).files.map(file => [file.path, file]))
    expect(files['new.txt']).toMatchObject({
      status: 'renamed',
      oldPath: 'old name.txt',
      similarity: 94,
      additions: 1,
      deletions: 1,
    })
    expect(files.run).toMatchObject({ status: 'modified', oldMode: '100644', newMode: '100755', hunks: [] })
    expect(files.link).toMatchObject({ status: 'type changed', oldMode: '120000', newMode: '100644' })
    expect(shown(files.link)).toEqual(['-target', '+a file'])
    expect(files.image).toMatchObject({ isBinary: true, isCut: false, hunks: [] })
    expect(files.lib).toMatchObject({ isSubmodule: true, oldId: '1'.repeat(40), newId: '2'.repeat(40) })
    expect(files['yarn.lock']).toMatchObject({ isGenerated: true })
  })

  it('says which line has no line break at its end', async () => {
    const base = await commit({ a: 'x' })
    const [file] = (await read(base, await commit({ a: 'x\n' }, base))).files
    expect(file?.hunks[0]?.lines).toEqual([
      { kind: '-', text: 'x', oldNumber: 1, noNewline: true },
      { kind: '+', text: 'x', newNumber: 1 },
    ])
  })

  it('returns names and lines that look like the headers of a patch as they are', async () => {
    const names = ['"tab\\tline\\nfeed \\"quote\\" \\\\"', '"caf\\351/\\344"', '"a b/a b"', '" b/x"', 'café']
    const text = '-- a/x\n++ b/x\n@@ -1 +1 @@\ndiff --git a/café b/café\n\\ No newline\n'
    const base = await commit({ first: 'x\n', ...Object.fromEntries(names.map(name => [name, text])) })
    const head = await commit(
      { first: 'y\n', ...Object.fromEntries(names.map(name => [name, 'new\n'])) },
      base,
    )
    const { files } = await read(base, head)
    expect(files.map(file => file.path)).toEqual(
      expect.arrayContaining(['tab\tline\nfeed "quote" \\', 'caf\udce9/\udce4', 'a b/a b', ' b/x', 'café']),
    )
    for (const file of files.filter(({ path }) => path !== 'first')) {
      expect(shown(file)).toEqual([
        ...text
          .trimEnd()
          .split('\n')
          .map(line => `-${line}`),
        '+new',
      ])
    }
    const alone = await read(base, head, { paths: ['caf\udce9/\udce4'] })
    expect(alone).toMatchObject({ filesChanged: 1, deletions: 5, files: [{ path: 'caf\udce9/\udce4' }] })
  })

  it('takes paths for names, not for patterns', async () => {
    const head = await commit({ '*.txt': 'x\n', 'b.txt': 'x\n', ':(top)': 'x\n' })
    expect((await read(undefined, head, { paths: ['*.txt', ':(top)'] })).files).toHaveLength(2)
  })

  it('compares a root commit with the empty tree, and a merge with its first parent', async () => {
    const root = await commit({ a: 'x\n' })
    expect(await read(undefined, root)).toMatchObject({ files: [{ path: 'a', status: 'added' }] })
    const side = await commit({ b: 'y\n' }, root)
    const main = await commit({ c: 'z\n' }, root)
    const merge = await commit({ b: 'y\n' }, main, side)
    expect((await read(main, merge)).files.map(file => file.path)).toEqual(['b'])
  })

  it('leaves out lines in which only whitespace changed, if it is asked to', async () => {
    const base = await commit({ a: 'if (x)\n  y\n', b: 'z\n' })
    const head = await commit({ a: 'if (x)\n\ty\n', b: 'other\n' }, base)
    const { files, additions } = await read(base, head, { ignoreWhitespace: true })
    expect(additions).toBe(1)
    expect(files[0]).toMatchObject({ path: 'a', hunks: [], isCut: false })
    expect(shown(files[1])).toEqual(['-z', '+other'])
  })

  it('throws for a commit that does not exist, and for anything that is not a full commit ID', async () => {
    const head = await commit({ a: 'x\n' })
    await expect(read('1'.repeat(40), head)).rejects.toThrow(GitError)
    await expect(read('--output=/tmp/x', head)).rejects.toThrow(TypeError)
  })

  it('returns what Git can read of a damaged repository, and says that something is missing', async () => {
    const head = await commit({ a: 'damaged\n', b: 'x\n' })
    const { files } = await read(undefined, head)
    const id = files[0]?.newId ?? ''
    const path = repositoryPath(bare.ctx.config, bare.key)
    await rm(join(path, 'objects', id.slice(0, 2), id.slice(2)))
    const diff = await read(undefined, head)
    expect(diff).toMatchObject({
      filesChanged: 2,
      isTruncated: true,
      files: [{ isCut: true }, { path: 'b' }],
    })
  })

  it('stops when its signal is aborted, also when the client disconnects', async () => {
    const head = await commit({ a: 'x\n' })
    const repository = repositoryPath(bare.ctx.config, bare.key)
    const wanted = { base: undefined, head, ignoreWhitespace: false }
    await expect(readDiff(repository, wanted, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
    expect(await readDiff(repository, wanted)).toMatchObject({ additions: 1 })
  })
})

describe('readDiff of large changes', () => {
  let base: string
  beforeAll(async () => {
    base = await commit({ a: 'x\n' })
  })

  it('lists a file of 100,000 lines with its numbers, and returns its start if it is asked for alone', async () => {
    const head = await commit({ a: 'y\n', long: numbered(100_000) }, base)
    const { files } = await read(base, head)
    expect(files[1]).toMatchObject({ path: 'long', additions: 100_000, isCut: true, hunks: [] })
    expect(shown(files[0])).toEqual(['-x', '+y'])
    const alone = await read(base, head, { paths: ['long'] })
    expect(alone).toMatchObject({ filesChanged: 1, additions: 100_000, files: [{ isCut: true }] })
    expect(alone.files[0]?.hunks[0]?.lines).toHaveLength(20_000)
  })

  it('cuts a line of 20 MB at 5,000 characters', async () => {
    const head = await commit({ a: `${'é'.repeat(10_000_000)}\nend\n` }, base)
    const { files } = await read(base, head)
    const lines = files[0]?.hunks[0]?.lines
    expect(lines?.map(line => [line.kind, line.text.length, line.isCut])).toEqual([
      ['-', 1, undefined],
      ['+', 5000, true],
      ['+', 3, undefined],
    ])
  })

  it('lists 3,000 of 10,000 files, counts all, and returns lines of 300', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`f/${String(index).padStart(5, '0')}`, `${index}\n`]),
    )
    const head = await commit(files, base)
    const diff = await read(base, head)
    expect(diff).toMatchObject({ filesChanged: 10_000, additions: 10_000, isTruncated: true })
    expect(diff.files).toHaveLength(3000)
    expect(diff.files.filter(file => file.hunks.length > 0)).toHaveLength(300)
    expect(diff.files.slice(300).every(file => file.isCut && file.additions === 1)).toBe(true)
    const few = await read(base, head, { limits: { listed: 10 } })
    expect([few.files.length, few.filesChanged, few.isTruncated]).toEqual([10, 10_000, true])
  })

  it('returns no more lines and bytes than the limits of a file and of all files', async () => {
    const head = await commit({ a: numbered(40), b: numbered(4, 100), c: numbered(9, 200), d: 'x\n' }, base)
    const kept = async (limits: object) =>
      (await read(base, head, { limits })).files.map(file => (file.isCut ? 'cut' : shown(file)?.length))
    expect(await kept({ fileLines: 20 })).toEqual(['cut', 4, 9, 1])
    expect(await kept({ fileBytes: 60 })).toEqual(['cut', 4, 'cut', 1])
    expect(await kept({ fileLines: 20, lines: 12 })).toEqual(['cut', 4, 'cut', 'cut'])
    expect(await kept({ fileLines: 20, bytes: 60 })).toEqual(['cut', 4, 'cut', 'cut'])
  })
})
