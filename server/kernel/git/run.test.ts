import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestDatabase } from '@/db/testing/test-database'
import { dryRun, withTransaction } from '@/db/transaction'
import { anonymous } from '../caller'
import { memoryFor } from './memory'
import { GitError, readGit, runGit, slowGit, spawnGit } from './run'
import { withGitSlot } from './slots'

it('runGit returns the output of Git', async () => {
  expect(await runGit(['hash-object', '--stdin'], { input: 'x' })).toMatch(/^[0-9a-f]{40}\n$/)
})

it('runGit fails with the error output of Git', async () => {
  await expect(runGit(['no-such-command'])).rejects.toThrow(GitError)
  await expect(runGit(['no-such-command'])).rejects.toThrow('is not a git command')
})

it('runGit stops a Git command that prints too much or takes too long', async () => {
  const input = 'line\n'.repeat(100_000)
  await expect(runGit(['stripspace'], { input, maxBytes: 10 })).rejects.toThrow('more than 10 bytes')
  await expect(runGit(['daemon', '--listen=127.0.0.1', '--port=0', '/'], { timeoutMs: 50 })).rejects.toThrow(
    GitError,
  )
})

it('runGit stops when its signal is aborted, fails with the signal’s reason, and starts nothing afterward', async () => {
  const stopping = new AbortController()
  const { signal } = stopping
  const endless = ['daemon', '--listen=127.0.0.1', '--port=0', '/']
  const running = runGit(endless, { signal })
  stopping.abort(new RangeError('enough'))
  await expect(running).rejects.toThrow('enough')
  await expect(runGit(endless, { signal })).rejects.toThrow('enough')
})

it('reports a command that takes two seconds, even if it fails', async () => {
  const found: unknown[] = []
  slowGit().listener = slow => found.push(slow)
  await runGit(['--version'])
  const endless = ['daemon', '--listen=127.0.0.1', '--port=0', '/']
  await expect(runGit(endless, { timeoutMs: 2_050 })).rejects.toThrow(GitError)
  delete slowGit().listener
  expect(found).toEqual([{ command: 'daemon', repository: undefined, duration: expect.any(Number) }])
})

it('readGit rethrows the error of its reader', async () => {
  const refuse = () => {
    throw new RangeError('enough')
  }
  await expect(readGit(['--version'], {}, refuse)).rejects.toThrow('enough')
})

it('Git can be neither run nor waited for inside a database transaction', async () => {
  const { db, close } = await openTestDatabase()
  const run = () => runGit(['--version'])
  const wait = () => withGitSlot({ caller: anonymous, remoteAddress: '' }, run)
  for (const transaction of [withTransaction, dryRun]) {
    for (const work of [run, wait]) {
      await expect(transaction(db, work)).rejects.toThrow('inside a database transaction')
    }
    expect(await transaction(db, async () => 'done')).toBe('done')
  }
  expect(await wait()).toContain('git version')
  await close()
})

it.runIf(process.platform === 'linux')('the kernel kills Git first when memory runs out', async () => {
  const score = (id: number | 'self' = 'self') => readFile(`/proc/${id}/oom_score_adj`, 'utf8')
  const before = await score()
  const child = spawnGit(['hash-object', '--stdin'])
  await expect.poll(() => score(child.pid)).toBe('1000\n')
  child.stdin.end()
  await once(child, 'close')
  expect(await score()).toBe(before)
})

it('memoryFor grows with the number of objects, and with the repository size only up to a limit', () => {
  const kib = (storedMib: number, objects: number) => {
    const { objectKib, totalKib } = memoryFor({ storedKib: storedMib * 1024, objects })
    return [objectKib / 1024, totalKib / 1024]
  }
  expect(kib(0, 0)).toEqual([24, 128])
  expect(kib(40, 0)).toEqual([104, 368])
  expect(kib(100_000, 0)).toEqual([152, 512])
  expect(kib(0, 1024 * 1024)).toEqual([120, 416])
})

it.runIf(process.platform === 'linux')(
  'runGit stops a Git command that exceeds its memory limit, and allows it more with a higher limit',
  async () => {
    const repository = await mkdtemp(join(tmpdir(), 'guildhall-memory-'))
    await runGit(['init', '--quiet', '--bare', '--', repository])
    const people = 'author A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n'
    const message = 'm'.repeat(12 * 1024 * 1024)
    const write = async (type: string, input: string) =>
      (await runGit(['hash-object', '-t', type, '-w', '--stdin'], { repository, input })).trim()
    const tree = await write('tree', '')
    const ids: string[] = []
    for (let index = 0; index < 12; index++) {
      ids.push(await write('commit', `tree ${tree}\n${people}\n${index}${message}`))
    }
    const input = ids.map(id => `${id}\n`).join('')
    // This command keeps everything that it reads.
    const read = ['rev-list', '--no-walk', '--count', '--stdin']
    await expect(runGit(read, { repository, input })).rejects.toThrow('Out of memory')
    const memory = memoryFor({ storedKib: 32 * 1024, objects: 0 })
    expect(await runGit(read, { repository, input, memory })).toBe('12\n')
    await rm(repository, { recursive: true })
  },
)
