import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GitError } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { findRef, listRefNames, listRefs } from './'
import { useBareRepository } from './testing/bare-repository'

const { ctx, key } = useBareRepository()

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
      const disconnected = () => AbortSignal.abort()
      const listing = listRefNames({ ...ctx, disconnected }, key, 'heads', { offset: 0, limit: 1 })
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
