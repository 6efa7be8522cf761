import { expect, it } from 'vitest'
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
