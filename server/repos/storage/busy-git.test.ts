import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GitError } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { findRef, listRefNames, listRefs } from './'
import { useBareRepository } from './testing/bare-repository'

const { ctx, key } = useBareRepository()

/**
 * Puts a script before the system's `git` in PATH while a callback runs. The script logs each call and then
 * runs these shell commands.
 */
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

describe('listRefNames, if sorting takes more than five seconds,', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const aFewSeconds = async (asked: () => Promise<number>) => {
    while ((await asked()) === 0) await new Promise(resolve => setImmediate(resolve))
    vi.advanceTimersByTime(5000)
  }

  it('lists the refs in order of their names', () =>
    withGit(slowToSort, async asked => {
      const listing = listRefNames(ctx, key, 'heads', { offset: 0, limit: 1 })
      await aFewSeconds(asked)
      expect(await listing).toEqual({ names: ['found'], total: 1 })
    }))

  it('fails without running `git` again if the client has disconnected', () =>
    withGit(slowToSort, async asked => {
      const disconnected = () => AbortSignal.abort()
      const listing = listRefNames({ ...ctx, disconnected }, key, 'heads', { offset: 0, limit: 1 })
      const failed = expect(listing).rejects.toThrow(GitError)
      await aFewSeconds(asked)
      await failed
      expect(await asked()).toBe(1)
    }))
})

it.each([
  ['runs `git` a second time without sorting if the first process exits with an error', 'exit 128', 2],
  ['does not run `git` again if a signal killed the first process', 'kill -TERM $$', 1],
])('listRefNames %s', (_, ending, times) =>
  withGit(ending, async asked => {
    await expect(listRefNames(ctx, key, 'heads', { offset: 0, limit: 1 })).rejects.toThrow(GitError)
    expect(await asked()).toBe(times)
  }),
)

it('200 concurrent requests from one IP address do not block a request from another one', async () => {
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

it('requests are rejected with tooManyRequests and a retry delay while the Git queue is full', async () => {
  const refusal = { kind: 'tooManyRequests', retryAfterSeconds: 1 }
  const ends: (() => void)[] = []
  const held: Promise<unknown>[] = []
  let isFull = false
  while (!isFull) {
    const slot = withGitSlot(ctx, () => new Promise<void>(resolve => ends.push(resolve)))
    const refused = () => {
      isFull = true
    }
    held.push(slot.catch(refused))
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
