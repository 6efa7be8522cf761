import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { oneRef } from './refs'
import { runGit } from './run'

let repository = ''
let commit = ''
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'guildhall-one-ref-'))
  await runGit(['init', '-q', '--bare', '--', repository])
  const write = async (type: string, input: string) =>
    (await runGit(['hash-object', '-w', '-t', type, '--stdin'], { repository, input })).trim()
  const people = 'author A <a> 1 +0000\ncommitter A <a> 1 +0000\n'
  commit = await write('commit', `tree ${await write('tree', '')}\n${people}\nx\n`)
  const refs = ['heads/main', 'tags/refs/heads/trap', 'heads/refs/tags/trap', 'heads/caf\u00e9']
  const input = refs.map(ref => `create refs/${ref} ${commit}\n`).join('')
  await runGit(['update-ref', '--stdin'], { repository, input })
})
afterAll(() => rm(repository, { recursive: true, force: true }))

it.each(['refs/heads/main', 'refs/heads/café', 'refs/tags/refs/heads/trap'])('oneRef finds %s', async ref => {
  expect(await oneRef(repository, ref)).toEqual({ ref, id: commit })
})

it.each([
  ['a ref of the same name elsewhere', () => 'refs/heads/trap'],
  ['a branch of the same name', () => 'refs/tags/trap'],
  ['what git describe returned', () => `refs/heads/x-g${commit.slice(0, 10)}`],
  ['an ancestor', () => 'refs/heads/main~0'],
  ['a file', () => 'refs/heads/main:'],
  ['a directory', () => 'refs/heads/refs'],
  ['an abbreviated name', () => 'main'],
])('oneRef does not take %s for a ref', async (_, name) => {
  expect(await oneRef(repository, name())).toBeUndefined()
})

it.each([
  ['loose', async () => undefined],
  ['packed', () => runGit(['pack-refs', '--all'], { repository })],
])('oneRef finds %s refs that Git has just changed', async (_, prepare) => {
  await prepare()
  const change = (line: string) => runGit(['update-ref', '--stdin'], { repository, input: `${line}\n` })
  for (const ref of ['refs/heads/next', 'refs/heads/a/b', 'refs/tags/v1']) {
    expect(await oneRef(repository, ref)).toBeUndefined()
    await change(`create ${ref} ${commit}`)
    expect(await oneRef(repository, ref)).toEqual({ ref, id: commit })
    await prepare()
    expect(await oneRef(repository, ref)).toEqual({ ref, id: commit })
    await change(`delete ${ref}`)
    expect(await oneRef(repository, ref)).toBeUndefined()
  }
})

it('oneRef finds what a symbolic ref points to, and no file that Git has written beside refs', async () => {
  await runGit(['symbolic-ref', 'refs/heads/alias', 'refs/heads/main'], { repository })
  expect(await oneRef(repository, 'refs/heads/alias')).toEqual({ ref: 'refs/heads/alias', id: commit })
  await writeFile(join(repository, 'refs/heads/main.lock'), `${commit}\n`)
  expect(await oneRef(repository, 'refs/heads/main.lock')).toBeUndefined()
  await rm(join(repository, 'refs/heads/main.lock'))
})
