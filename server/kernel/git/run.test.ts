import { expect, it } from 'vitest'
import { openTestDatabase } from '@/db/testing/test-database'
import { rehearse, withTransaction } from '@/db/transaction'
import { inGitLine } from './line'
import { GitError, readGit, runGit } from './run'

it('gives what git prints', async () => {
  expect(await runGit(['hash-object', '--stdin'], { input: 'x' })).toMatch(/^[0-9a-f]{40}\n$/)
})

it('fails with what git complains of', async () => {
  await expect(runGit(['no-such-command'])).rejects.toThrow(GitError)
  await expect(runGit(['no-such-command'])).rejects.toThrow('is not a git command')
})

it('ends a git that prints more than it may, or takes longer', async () => {
  const input = 'line\n'.repeat(100_000)
  await expect(runGit(['stripspace'], { input, maxBytes: 10 })).rejects.toThrow('more than 10 bytes')
  await expect(runGit(['daemon', '--listen=127.0.0.1', '--port=0', '/'], { timeoutMs: 50 })).rejects.toThrow(
    GitError,
  )
})

it('hands on what the reader throws', async () => {
  const refuse = () => {
    throw new RangeError('enough')
  }
  await expect(readGit(['--version'], {}, refuse)).rejects.toThrow('enough')
})

it('is never run, nor waited for, inside a database transaction', async () => {
  const { db, close } = await openTestDatabase()
  const run = () => runGit(['--version'])
  const wait = () => inGitLine(run)
  for (const transaction of [withTransaction, rehearse]) {
    for (const work of [run, wait]) {
      await expect(transaction(db, work)).rejects.toThrow('inside a database transaction')
    }
    expect(await transaction(db, async () => 'done')).toBe('done')
  }
  expect(await wait()).toContain('git version')
  await close()
})
