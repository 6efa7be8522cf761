import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GitError } from '@/server/kernel/git/run'
import { gitOk } from '@/testing/git'
import { branchHistories, inTime, isAncestor, startBudget } from './history'

let repository = ''
let older = ''
let newer = ''
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'guildhall-history-'))
  await gitOk(['init', '-q', '--bare', '--', repository])
  const tree = await gitOk(['hash-object', '-w', '-t', 'tree', '--stdin'], { cwd: repository, input: '' })
  older = await gitOk(['commit-tree', tree, '-m', 'One'], { cwd: repository })
  newer = await gitOk(['commit-tree', tree, '-p', older, '-m', 'Two'], { cwd: repository })
})
afterAll(() => rm(repository, { recursive: true, force: true }))

it('isAncestor returns whether a commit is an ancestor of another, and undefined if a commit is missing or the time is up', async () => {
  const absent = '1'.repeat(40)
  expect(await isAncestor(repository, older, newer, startBudget())).toBe(true)
  expect(await isAncestor(repository, newer, older, startBudget())).toBe(false)
  expect(await isAncestor(repository, absent, newer, startBudget())).toBeUndefined()
  expect(await isAncestor(repository, older, newer, startBudget({ ms: 0 }))).toBeUndefined()
})

it('branchHistories returns empty histories instead of throwing if Git fails', async () => {
  const update = { ref: 'refs/heads/main', before: '0'.repeat(40), after: newer }
  expect(await branchHistories(repository, [update])).toMatchObject([{ commits: 2, summary: 'Two' }])
  expect(await branchHistories('/nonexistent', [update])).toEqual([
    { commits: 0, forced: false, summary: '', newest: [] },
  ])
})

it('branchHistories returns the five newest commits of a push, with their messages cut to 1,000 characters', async () => {
  const tree = await gitOk(['rev-parse', `${newer}^{tree}`], { cwd: repository })
  const people = [
    'author Ada <ada@example.test> 1784880000 +0000',
    'committer Bob <bob@example.test> 1784887200 +0200',
  ].join('\n')
  let tip = newer
  const made: string[] = []
  for (const message of ['3', '4', '5', '6', '7', `8\n\n${'x'.repeat(2000)}`]) {
    const input = `tree ${tree}\nparent ${tip}\n${people}\n\n${message}\n`
    tip = await gitOk(['hash-object', '-t', 'commit', '-w', '--stdin'], { cwd: repository, input })
    made.unshift(tip)
  }
  const [history] = await branchHistories(repository, [{ ref: 'refs/heads/main', before: newer, after: tip }])
  expect(history).toMatchObject({ commits: 6, forced: false, summary: '8' })
  expect(history?.newest.map(commit => commit.sha)).toEqual(made.slice(0, 5))
  expect(history?.newest[0]).toEqual({
    sha: tip,
    message: `8\n\n${'x'.repeat(997)}`,
    author: { name: 'Ada', email: 'ada@example.test' },
    committer: { name: 'Bob', email: 'bob@example.test' },
    date: '2026-07-24T10:00:00.000Z',
  })
})

it('inTime passes the remaining time to the read, and skips the read if no time remains', async () => {
  const left = await inTime(startBudget({ ms: 1000 }), 0, async ({ timeoutMs = 0 }) => timeoutMs)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(1000)
  const never = () => Promise.reject(new Error('looked up'))
  expect(await inTime(startBudget({ ms: 0 }), 'unknown', never)).toBe('unknown')
})

it('inTime returns the fallback if Git fails and rethrows all other errors', async () => {
  const fail = (error: Error) => inTime(startBudget({ ms: 1000 }), 'unknown', () => Promise.reject(error))
  expect(await fail(new GitError('rev-list', 'took too long', ''))).toBe('unknown')
  await expect(fail(new RangeError('meant to'))).rejects.toThrow(RangeError)
})
