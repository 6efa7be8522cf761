import { readdir, readFile } from 'node:fs/promises'
import { beforeEach, expect, it } from 'vitest'
import { forgetObjects } from '@/server/kernel/git/objects'
import { gitOk } from '@/testing/git'
import { useWorkDirectory } from '@/testing/git-repository'
import { startRefTransaction } from './ref-transaction'

const work = useWorkDirectory()
const hasProc = process.platform === 'linux'
const zeros = '0'.repeat(40)
let repository: string
let tree: string

const git = (...args: string[]) => gitOk(args, { cwd: repository })
const commit = (message: string) => git('commit-tree', tree, '-m', message)

async function idsOn(directory: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter(id => /^\d+$/.test(id))
  const lines = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return ids.filter((_, index) => lines[index]?.includes(directory)).map(Number)
}

async function move(name: string, before: string, after: string, isNew = true) {
  const transaction = startRefTransaction(repository)
  const written = isNew ? Promise.resolve() : undefined
  try {
    return await transaction.commit([{ ref: `refs/heads/${name}`, before, after }], written)
  } finally {
    transaction.close()
  }
}

const done = { outcome: { done: [{}] } }
const refused = (reason: RegExp) => ({
  outcome: undefined,
  failure: expect.objectContaining({ message: expect.stringMatching(reason) }),
})

beforeEach(async () => {
  repository = work.path()
  await gitOk(['init', '-q', '--bare', repository])
  tree = await gitOk(['hash-object', '-w', '-t', 'tree', '--stdin'], { cwd: repository, input: '' })
})

it.skipIf(!hasProc)(
  'one Git command makes the transactions of a repository one after the other',
  async () => {
    const [first, second] = [await commit('first'), await commit('second')]
    expect(await move('main', zeros, first)).toEqual({
      outcome: { done: [{ ref: 'refs/heads/main', before: zeros, after: first }] },
    })
    const waiting = await idsOn(repository)
    await move('main', first, second)
    expect(await git('rev-parse', 'main')).toBe(second)
    expect([waiting.length, await idsOn(repository)]).toEqual([1, waiting])
  },
)

it('a transaction sees what other Git commands have changed since the one before', async () => {
  const first = await commit('first')
  await move('main', zeros, first)
  await git('pack-refs', '--all')
  await git('gc', '-q', '--prune=now')
  const second = await commit('second')
  await git('update-ref', 'refs/heads/main', second)
  await git('update-ref', 'refs/heads/a/b', first)
  const third = await commit('third')
  expect(await move('main', first, third)).toMatchObject(refused(/but expected/))
  expect(await move('a', zeros, third)).toMatchObject(refused(/'refs.heads.a.b' exists/))
  expect(await move('main', second, third)).toMatchObject(done)
  await git('update-ref', '-d', 'refs/heads/a/b')
  expect(await move('a', zeros, third)).toMatchObject(done)
  expect(await git('for-each-ref', '--format=%(refname:short) %(objectname)')).toBe(
    `a ${third}\nmain ${third}`,
  )
})

it('a ref to an object that has been pruned since is refused', async () => {
  const [first, second] = [await commit('first'), await commit('second')]
  await move('main', zeros, first)
  await move('main', first, second)
  await git('gc', '-q', '--prune=now')
  expect(await move('again', zeros, first, false)).toMatchObject(refused(/nonexistent object/))
})

it.skipIf(!hasProc)('another Git command is started if the one before has ended', async () => {
  const [first, second] = [await commit('first'), await commit('second')]
  await move('main', zeros, first)
  await endAll()
  expect(await move('main', first, second)).toMatchObject(done)
  const transaction = startRefTransaction(repository)
  await endAll()
  const update = { ref: 'refs/heads/main', before: second, after: first }
  expect(await transaction.commit([update], Promise.resolve())).toMatchObject(done)
  transaction.close()

  async function endAll(): Promise<void> {
    for (const id of await idsOn(repository)) process.kill(id)
    await expect.poll(() => idsOn(repository)).toEqual([])
  }
})

it.skipIf(!hasProc)(
  'Git commands end when their repository is forgotten, and at most eight wait',
  async () => {
    await move('main', zeros, await commit('first'))
    const transaction = startRefTransaction(repository)
    forgetObjects(repository)
    expect(await idsOn(repository)).toHaveLength(1)
    transaction.close()
    await expect.poll(() => idsOn(repository)).toEqual([])

    for (let index = 0; index < 10; index++) {
      await gitOk(['init', '-q', '--bare', work.path(`many/${index}`)])
      startRefTransaction(work.path(`many/${index}`)).close()
    }
    await expect.poll(() => idsOn(work.path('many'))).toHaveLength(8)
    for (let index = 0; index < 10; index++) forgetObjects(work.path(`many/${index}`))
    await expect.poll(() => idsOn(work.path('many'))).toEqual([])
  },
)
