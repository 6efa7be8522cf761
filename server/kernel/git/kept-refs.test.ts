import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { eachKeptRef } from './kept-refs'
import { eachRef, type Ref } from './refs'
import { runGit } from './run'

let repository = ''
let commit = ''
let listed = 0

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  repository = await mkdtemp(join(tmpdir(), 'guildhall-kept-refs-'))
  await runGit(['init', '-q', '--bare', '--', repository])
  const write = async (type: string, input: string) =>
    (await runGit(['hash-object', '-w', '-t', type, '--stdin'], { repository, input })).trim()
  const people = 'author A <a> 1 +0000\ncommitter A <a> 1 +0000\n'
  commit = await write('commit', `tree ${await write('tree', '')}\n${people}\nx\n`)
  await git('update-ref', 'refs/heads/main', commit)
  listed = 0
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(repository, { recursive: true, force: true })
})

const git = (...args: string[]) => runGit(args, { repository })

type List = (take: (ref: Ref, isSymbolic: boolean) => void) => Promise<void>

async function names(list: List = take => eachRef(repository, 'refs/heads/', ref => take(ref, false))) {
  const found: string[] = []
  const counted: List = take => {
    listed++
    return list(take)
  }
  const where = { repository, prefix: 'refs/heads/', order: 'name' }
  await eachKeptRef(where, counted, ({ ref }) => found.push(ref.slice('refs/heads/'.length)))
  return found.join()
}

/** Reads the list until it is kept. */
async function settle() {
  await names()
  vi.advanceTimersByTime(3_000)
  await names()
  listed = 0
}

it('a list is read again until the refs have not changed for two seconds, and then kept', async () => {
  await names()
  vi.advanceTimersByTime(1_000)
  await names()
  expect(listed).toBe(2)
  vi.advanceTimersByTime(1_500)
  expect([await names(), await names(), listed]).toEqual(['main', 'main', 3])
})

it.each<[string, string, (other: string) => string[][]]>([
  ['moved', 'main', other => [['update-ref', 'refs/heads/main', other]]],
  ['created', 'a,main', other => [['update-ref', 'refs/heads/a', other]]],
  ['created in a new directory', 'a/b/c,main', other => [['update-ref', 'refs/heads/a/b/c', other]]],
  ['deleted', '', () => [['update-ref', '-d', 'refs/heads/main']]],
  ['packed', 'main', () => [['pack-refs', '--all']]],
  [
    'packed and deleted',
    '',
    () => [
      ['pack-refs', '--all'],
      ['update-ref', '-d', 'refs/heads/main'],
    ],
  ],
])('a list is read again after a ref was %s by another process', async (_, expected, commands) => {
  await settle()
  expect([await names(), listed]).toEqual(['main', 0])
  const input = `tree ${(await git('rev-parse', `${commit}^{tree}`)).trim()}\nauthor A <a> 2 +0000\ncommitter A <a> 2 +0000\n\ny\n`
  const other = (await runGit(['hash-object', '-w', '-t', 'commit', '--stdin'], { repository, input })).trim()
  for (const command of commands(other)) await git(...command)
  expect([await names(), listed]).toEqual([expected, 1])
})

it('a list is read again after a ref in a directory was moved, deleted and created again', async () => {
  await git('update-ref', 'refs/heads/a/b', commit)
  await settle()
  await git('update-ref', '-d', 'refs/heads/a/b')
  expect(await names()).toBe('main')
  await settle()
  await git('update-ref', 'refs/heads/a/b', commit)
  expect([await names(), listed]).toEqual(['a/b,main', 1])
})

it.each<[string, List]>([
  ['with a symbolic ref', async take => take({ ref: 'refs/heads/x', id: 'a' }, true)],
  [
    'of more than 5,000 refs',
    async take => {
      for (let count = 0; count <= 5_000; count++) take({ ref: `refs/heads/${count}`, id: 'a' }, false)
    },
  ],
])('a list %s is not kept', async (_, list) => {
  for (let round = 1; round < 4; round++) {
    await names(list)
    vi.advanceTimersByTime(3_000)
    expect(listed).toBe(round)
  }
})

it('a list is not kept if Git stores refs in another way, or if the repository is gone', async () => {
  await settle()
  await rename(join(repository, 'refs/heads'), join(repository, 'aside'))
  await writeFile(join(repository, 'refs/heads'), 'this repository uses the reftable format')
  const none: List = async () => undefined
  await names(none)
  vi.advanceTimersByTime(3_000)
  await names(none)
  expect(listed).toBe(2)
  await rm(repository, { recursive: true })
  await expect(names()).rejects.toThrow('not a git repository')
})
