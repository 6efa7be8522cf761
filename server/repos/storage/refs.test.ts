import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { anonymous } from '@/server/kernel/caller'
import { withGitSlot } from '@/server/kernel/git/limit'
import { GitError } from '@/server/kernel/git/run'
import { gitOk } from '@/testing/git'
import {
  findRef,
  listRefNames,
  listRefs,
  makeBareRepository,
  newestBranches,
  newStorageKey,
  type RefInfo,
  type RefsWanted,
  repositoryPath,
} from './'

const config = { repositoryDir: '' }
const ctx = { config, caller: anonymous, remoteAddress: '' }
const key = newStorageKey()
const author = { name: 'Jo', email: 'jo@example.test', date: new Date('2026-01-02T03:04:05Z') }
const many = Array.from({ length: 2000 }, (_, index) => `n/${String(index).padStart(4, '0')}`)

const inside = (args: string[], input?: string) =>
  gitOk(['--git-dir', repositoryPath(config, key), ...args], { input })

beforeAll(async () => {
  config.repositoryDir = await mkdtemp(join(tmpdir(), 'guildhall-refs-'))
  await makeBareRepository(config, {
    storageKey: key,
    objectFormat: 'sha1',
    defaultBranch: 'main',
    firstCommit: { message: 'First\n\nWith a body', author, files: { 'README.md': 'x\n' } },
  })
  const tip = await inside(['rev-parse', 'main'])
  await inside(['update-ref', '--stdin'], many.map(name => `create refs/heads/${name} ${tip}\n`).join(''))
})
afterAll(() => rm(config.repositoryDir, { recursive: true, force: true }))

describe('branches', () => {
  it('of one age come sorted by name, a part at a time, with their total', async () => {
    const page = await listRefs(ctx, key, 'heads', { offset: 10, limit: 3 })
    expect(page.total).toBe(many.length + 1)
    expect(page.items.map(item => item.name)).toEqual(['n/0009', 'n/0010', 'n/0011'])
    const beyond = await listRefs(ctx, key, 'heads', { offset: 5000, limit: 3 })
    expect(beyond).toEqual({ items: [], total: many.length + 1 })
  })

  it('are whole in the parts together', async () => {
    const names: string[] = []
    for (let offset = 0; offset < many.length + 1; offset += 500) {
      const { items } = await listRefs(ctx, key, 'heads', { offset, limit: 500 })
      names.push(...items.map(item => item.name))
    }
    expect(names).toEqual(['main', ...many])
  })

  it('give their names alone, the wanted one first, and how many there are', async () => {
    const wanted = { offset: 0, limit: 3, first: 'n/1999' }
    expect(await listRefNames(ctx, key, 'heads', wanted)).toEqual({
      names: ['n/1999', 'main', 'n/0000'],
      total: many.length + 1,
    })
  })

  it('lead to a commit with its people and message', async () => {
    const sha = await inside(['rev-parse', 'main'])
    expect(await findRef(ctx, key, 'heads', 'n/0003')).toEqual({
      name: 'n/0003',
      commit: { sha, message: 'First\n\nWith a body\n', author, committer: author },
    })
  })

  it.each([
    'absent',
    'n',
    'n/',
    'main~0',
    'main^{}',
    'main:README.md',
    'refs/heads/main',
    '--all',
    'n/*',
    'x\0y',
  ])('are found by their exact name only, not as %j', async name =>
    expect(await findRef(ctx, key, 'heads', name)).toBeUndefined(),
  )
})

describe('lists', () => {
  const other = newStorageKey()
  const page = (kind: 'heads' | 'tags', wanted: Partial<RefsWanted> = {}) =>
    listRefs(ctx, other, kind, { offset: 0, limit: 50, ...wanted })
  const namesOf = ({ items }: { items: RefInfo[] }) => items.map(item => item.name)

  beforeAll(async () => {
    await makeBareRepository(config, { storageKey: other, objectFormat: 'sha1', defaultBranch: 'main' })
    const repository = repositoryPath(config, other)
    const people = (day: number) => `A <a@x> ${86_400 * day} +0000`
    const write = (type: string, input: string) =>
      gitOk(['--git-dir', repository, 'hash-object', '-t', type, '-w', '--stdin'], { input })
    const tree = await write('tree', '')
    const commitOn = (day: number) =>
      write('commit', `tree ${tree}\nauthor ${people(1)}\ncommitter ${people(day)}\n\nx\n`)
    const [old, middle, young] = [await commitOn(10), await commitOn(20), await commitOn(30)]
    const annotation = await write(
      'tag',
      `object ${old}\ntype commit\ntag late\ntagger ${people(40)}\n\nAnnotated late\n`,
    )
    const refs = {
      'heads/main': old,
      'heads/b': middle,
      'heads/a': middle,
      'heads/topic/NEW': young,
      'tags/v1.9.0': old,
      'tags/v1.10.0': old,
      'tags/v0.9': middle,
      'tags/late': annotation,
      'tags/a-file': await write('blob', 'x'),
    }
    const input = Object.entries(refs).map(([ref, id]) => `create refs/${ref} ${id}\n`)
    await gitOk(['--git-dir', repository, 'update-ref', '--stdin'], { input: input.join('') })
  })

  it('begin with the newest branch, or with the one that is to be first', async () => {
    expect(namesOf(await page('heads'))).toEqual(['topic/NEW', 'a', 'b', 'main'])
    expect(namesOf(await page('heads', { first: 'main' }))).toEqual(['main', 'topic/NEW', 'a', 'b'])
    expect(namesOf(await page('heads', { first: 'absent' }))).toEqual(['topic/NEW', 'a', 'b', 'main'])
  })

  it.each(['main', 'topic/NEW', 'a', 'absent'])(
    'are whole in their parts together, with %s first',
    async first => {
      const whole = namesOf(await page('heads', { first }))
      for (const limit of [1, 2, 3, 4, 5]) {
        const parts: string[] = []
        for (let offset = 0; offset < 6; offset += limit) {
          const part = await page('heads', { first, offset, limit })
          expect(part.total).toBe(4)
          parts.push(...namesOf(part))
        }
        expect(parts).toEqual(whole)
      }
    },
  )

  it('begin with the newest tag, and of one age with the highest version', async () => {
    expect(namesOf(await page('tags'))).toEqual(['late', 'v0.9', 'v1.10.0', 'v1.9.0', 'a-file'])
  })

  it('leave what has the words sought in its name', async () => {
    expect(await page('heads', { q: 'new' })).toMatchObject({ items: [{ name: 'topic/NEW' }], total: 1 })
    expect(namesOf(await page('tags', { q: 'V1.' }))).toEqual(['v1.10.0', 'v1.9.0'])
    expect(await page('heads', { q: 'new', first: 'main' })).toMatchObject({ total: 1 })
    expect(await page('heads', { q: '*' })).toEqual({ items: [], total: 0 })
  })

  it('of very many come in the order of their names', async () => {
    const count = 20_001
    expect(namesOf(await page('heads', { count, first: 'main' }))).toEqual(['main', 'a', 'b', 'topic/NEW'])
    expect(namesOf(await page('tags', { count }))).toEqual(['a-file', 'late', 'v0.9', 'v1.10.0', 'v1.9.0'])
    const shown = await newestBranches(ctx, other, { limit: 2, defaultBranch: 'main', count })
    expect([shown.newest.map(tip => tip.name), shown.head?.summary]).toEqual([['main', 'a'], 'x'])
  })

  it('the newest branches and the default one are read with one command', async () => {
    const shown = await newestBranches(ctx, other, { limit: 2, defaultBranch: 'main' })
    expect(shown.newest.map(tip => tip.name)).toEqual(['topic/NEW', 'a'])
    expect(shown.head).toMatchObject({ name: 'main', summary: 'x', author: 'A', date: new Date(86_400_000) })
    const absent = await newestBranches(ctx, other, { limit: 9, defaultBranch: 'absent' })
    expect([absent.newest.length, absent.head]).toEqual([4, undefined])
  })
})

it('a directory of more branches than can be read at once is no branch, and takes no reading', async () => {
  const tip = await inside(['rev-parse', 'main'])
  const deep = `${'d'.repeat(200)}/`.repeat(15)
  const names = Array.from({ length: 400 }, (_, index) => `wide/${deep}${index}`)
  const all = (verb: string) => names.map(name => `${verb} refs/heads/${name} ${tip}\n`).join('')
  await inside(['update-ref', '--stdin'], all('create'))
  expect(await findRef(ctx, key, 'heads', 'wide')).toBeUndefined()
  expect((await findRef(ctx, key, 'heads', `wide/${deep}7`))?.commit.sha).toBe(tip)
  await inside(['update-ref', '--stdin'], all('delete'))
})

describe('tags', () => {
  it('annotated have the annotation beside the commit, however deep', async () => {
    const sha = await inside(['rev-parse', 'main'])
    await inside(['tag', 'light', 'main'])
    await inside(['tag', '-a', '-m', 'One', 'v1', 'main'])
    await inside(['tag', '-a', '-m', 'Of a tag', 'v2', 'v1'])
    const { items, total } = await listRefs(ctx, key, 'tags', { offset: 0, limit: 50 })
    expect(total).toBe(3)
    const told = items.map(({ name, commit, tag }) => [name, commit.sha, tag?.message])
    expect(told.sort()).toEqual([
      ['light', sha, undefined],
      ['v1', sha, 'One\n'],
      ['v2', sha, 'Of a tag\n'],
    ])
    expect(items.find(item => item.name === 'v1')?.tag?.sha).toBe(await inside(['rev-parse', 'v1']))
  })

  it('of what is no commit are listed without people', async () => {
    const blob = await inside(['rev-parse', 'main:README.md'])
    await inside(['tag', 'a-file', blob])
    expect(await findRef(ctx, key, 'tags', 'a-file')).toMatchObject({
      name: 'a-file',
      commit: { sha: blob, message: '', author: { name: '' } },
    })
  })

  it('and branches of one name are not mixed up', async () => {
    expect(await findRef(ctx, key, 'tags', 'main')).toBeUndefined()
    expect(await findRef(ctx, key, 'heads', 'v1')).toBeUndefined()
  })

  it('with a message beyond measure are still read, the message cut', async () => {
    const message = 'long '.repeat(100_000)
    await inside(['tag', '-a', '-F', '-', 'wordy', 'main'], message)
    const found = await findRef(ctx, key, 'tags', 'wordy')
    expect(found?.tag?.message.length).toBeLessThanOrEqual(64 * 1024)
    expect(found?.tag?.message.startsWith('long long')).toBe(true)
    expect(found?.commit.sha).toBe(await inside(['rev-parse', 'main']))
  })
})

/** Puts a git in front of the machine's for as long as this takes: it notes each call, then does what the script says. */
async function withGit(script: string, work: (asked: () => Promise<number>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-fake-git-'))
  const asked = join(folder, 'asked')
  await writeFile(join(folder, 'git'), `#!/bin/sh\necho asked >>${asked}\n${script}\n`, { mode: 0o755 })
  const path = process.env.PATH
  process.env.PATH = `${folder}:${path}`
  try {
    await work(async () => (await readFile(asked, 'utf8').catch(() => '')).split('\n').length - 1)
  } finally {
    process.env.PATH = path
    await rm(folder, { recursive: true })
  }
}

const slowToSort = 'case "$*" in *--sort*) exec sleep 60;; esac; echo "abc refs/heads/found"'

describe('refs that take more than five seconds to sort', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const aFewSeconds = async (asked: () => Promise<number>) => {
    while ((await asked()) === 0) await new Promise(resolve => setImmediate(resolve))
    vi.advanceTimersByTime(5000)
  }

  it('come in the order of their names', () =>
    withGit(slowToSort, async asked => {
      const listing = listRefNames(ctx, key, 'heads', { offset: 0, limit: 1 })
      await aFewSeconds(asked)
      expect(await listing).toEqual({ names: ['found'], total: 1 })
    }))

  it('are not listed at all for who is gone by then', () =>
    withGit(slowToSort, async asked => {
      const gone = () => AbortSignal.abort()
      const listing = listRefNames({ ...ctx, gone }, key, 'heads', { offset: 0, limit: 1 })
      const failed = expect(listing).rejects.toThrow(GitError)
      await aFewSeconds(asked)
      await failed
      expect(await asked()).toBe(1)
    }))
})

it.each([
  ['ended with a failure is asked once more, for the names alone', 'exit 128', 2],
  ['was ended is not asked again', 'kill -TERM $$', 1],
])('a git that %s', (_, ending, times) =>
  withGit(ending, async asked => {
    await expect(listRefNames(ctx, key, 'heads', { offset: 0, limit: 1 })).rejects.toThrow(GitError)
    expect(await asked()).toBe(times)
  }),
)

it('one address cannot keep git from others, however much it asks for', async () => {
  const ends: (() => void)[] = []
  const greedy = Array.from({ length: 200 }, () =>
    withGitSlot(
      { ...ctx, remoteAddress: '192.0.2.1' },
      () => new Promise<void>(resolve => ends.push(resolve)),
    ),
  )
  const other = { ...ctx, remoteAddress: '192.0.2.2' }
  expect((await findRef(other, key, 'heads', 'main'))?.name).toBe('main')
  for (let ended = 0; ended < greedy.length; ended++) {
    ends[ended]?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  await Promise.all(greedy)
})

it('whoever comes when git has too much to do is told to come again', async () => {
  const refusal = { kind: 'tooManyRequests', retryAfterSeconds: 1 }
  const ends: (() => void)[] = []
  const held: Promise<unknown>[] = []
  let isFull = false
  while (!isFull) {
    const place = withGitSlot(ctx, () => new Promise<void>(resolve => ends.push(resolve)))
    const refused = () => {
      isFull = true
    }
    held.push(place.catch(refused))
    await Promise.resolve()
    await Promise.resolve()
  }
  await expect(listRefs(ctx, key, 'heads', { offset: 0, limit: 1 })).rejects.toMatchObject(refusal)
  await expect(findRef(ctx, key, 'heads', 'main')).rejects.toMatchObject(refusal)
  for (let ended = 0; ended < ends.length; ended++) {
    ends[ended]?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  await Promise.all(held)
  expect((await findRef(ctx, key, 'heads', 'main'))?.name).toBe('main')
})
