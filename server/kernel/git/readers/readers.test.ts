import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '@/db/testing/test-database'
import { withTransaction } from '@/db/transaction'
import { oneOf, randomFrom } from '@/testing/random'
import { series } from '@/testing/series'
import { GitError, runGit } from '../run'
import { askReaders } from './ask'
import { createReaderPool, type ReaderPool } from './pool'
import type { ReaderForm } from './reader'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-readers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function makeRepository(...options: string[]) {
  const repository = join(folder, randomBytes(4).toString('hex'))
  await runGit(['init', '-q', '--bare', ...options, '--', repository])
  const write = async (input: string | Buffer, type = 'blob') =>
    (await runGit(['hash-object', '-w', '-t', type, '--stdin'], { repository, input })).trim()
  return { repository, write }
}

const read = async (repository: string, names: string[], pool: ReaderPool, signal?: AbortSignal) =>
  (await askReaders(repository, { command: 'contents', names, maxText: 1000, pool, signal })).map(answer =>
    answer?.text?.toString(),
  )

const kill = (pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL') => process.kill(pid ?? 0, signal)

const isAlive = (pid: number | undefined): boolean => {
  try {
    return process.kill(pid ?? 0, 0)
  } catch {
    return false
  }
}

describe.each<ReaderForm>(['command', 'pair'])('readers of the form %s', form => {
  it('answer one call after another with the same process', async () => {
    const { repository, write } = await makeRepository()
    const [first, second] = [await write('first\n'), await write('second')]
    const pool = createReaderPool({ form })
    expect(await read(repository, [first, second], pool)).toEqual(['first\n', 'second'])
    const pids = pool.idlePids()
    expect(await read(repository, [second], pool)).toEqual(['second'])
    expect(await askReaders(repository, { command: 'info', names: [first], pool })).toEqual([
      { sha: first, type: 'blob', size: 6 },
    ])
    expect(pool.idlePids()[0]).toBe(pids[0])
    pool.end(repository)
  })

  it('find nothing for missing and ambiguous names, and for names that would be several lines', async () => {
    const { repository, write } = await makeRepository()
    const whole = await write('x')
    const alike = await writeAlike(write)
    const pool = createReaderPool({ form })
    const names = [
      ...['absent', alike, `${whole}\n${whole}`, `${whole}\0`, `${whole}\r`, '', 'x'.repeat(100_000)],
      ...[' missing', `${whole} blob 1`, 'flush', 'caf\udce9', `${whole}:path`],
      whole,
    ]
    expect(await read(repository, names, pool)).toEqual([...names.slice(1).map(() => undefined), 'x'])
    pool.end(repository)
  })

  it('read a repository with SHA-256', async () => {
    const { repository, write } = await makeRepository('--object-format=sha256')
    const first = await write('x')
    const pool = createReaderPool({ form })
    expect(first).toHaveLength(64)
    expect(await read(repository, [first, first.slice(0, 40)], pool)).toEqual(['x', 'x'])
    pool.end(repository)
  })

  it('are replaced when they are killed, and 100 waiting calls get their own answers', async () => {
    const { repository, write } = await makeRepository()
    const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => write(`number ${index}`)))
    const pool = createReaderPool({ form })
    await read(repository, ids, pool)
    const [warm] = pool.idlePids()
    // It reads nothing, so the calls wait.
    kill(warm, 'SIGSTOP')
    const calls = Array.from({ length: 100 }, (_, index) =>
      read(repository, [ids[index % 10] ?? '', ids[(index + 1) % 10] ?? ''], pool),
    )
    kill(warm)
    const expected = calls.map((_, index) => [`number ${index % 10}`, `number ${(index + 1) % 10}`])
    expect(await Promise.all(calls)).toEqual(expected)
    pool.end(repository)
  })

  it('are replaced when a caller gives up, so that no other call gets its answers', {
    tags: 'series',
  }, async () => {
    const { repository, write } = await makeRepository()
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, index) => write(`number ${index}${'.'.repeat(900)}`)),
    )
    const pool = createReaderPool({ form })
    const random = randomFrom(4)
    const ask = async () => {
      const wanted = Array.from({ length: 20 }, () => oneOf(random, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
      const leaves = random() < 0.3
      const caller = new AbortController()
      if (leaves) setTimeout(() => caller.abort(new RangeError('left')), random() * 20)
      const names = wanted.map(index => ids[index] ?? '')
      const found = await read(repository, names, pool, caller.signal).catch(error => {
        expect([leaves, error.message]).toEqual([true, 'left'])
      })
      if (found) expect(found.map(text => text?.slice(0, 8))).toEqual(wanted.map(index => `number ${index}`))
    }
    for (let round = 0; round < series(1, 20); round++) await Promise.all(Array.from({ length: 60 }, ask))
    pool.end(repository)
  })

  it('find objects after all packs were replaced', async () => {
    const { repository, write } = await makeRepository()
    const tree = await write('', 'tree')
    const people = 'author A <a> 1 +0000\ncommitter A <a> 1 +0000\n'
    const commits: string[] = []
    const pool = createReaderPool({ form })
    for (let round = 0; round < 3; round++) {
      const parent = commits.at(-1)
      const text = `tree ${tree}\n${parent ? `parent ${parent}\n` : ''}${people}\nnumber ${round}\n`
      commits.push(await write(text, 'commit'))
      await runGit(['update-ref', 'refs/heads/main', commits.at(-1) ?? ''], { repository })
      await runGit(['repack', '-a', '-d', '-q'], { repository })
      await runGit(['prune-packed', '-q'], { repository })
      const found = await read(repository, [...commits, 'refs/heads/main'], pool)
      expect(found.map(commit => commit?.trim().at(-1))).toEqual([...commits.keys(), round].map(String))
    }
    pool.end(repository)
  })
})

/** Writes two blobs whose IDs begin with the same four digits, and returns these. */
async function writeAlike(write: (text: string) => Promise<string>): Promise<string> {
  // Found by trying.
  const ids = [await write('195\n'), await write('389\n')]
  expect(ids[0]?.slice(0, 4)).toBe(ids[1]?.slice(0, 4))
  return ids[0]?.slice(0, 4) ?? ''
}

it('a repository that has vanished under a warm reader is an error, and so is one that never was', async () => {
  const { repository, write } = await makeRepository()
  const first = await write('x')
  const pool = createReaderPool()
  await read(repository, [first], pool)
  await rename(repository, `${repository}-aside`)
  await expect(read(repository, [first], pool)).rejects.toThrow('not a git repository')
  await expect(read(join(folder, 'never'), [first], pool)).rejects.toThrow(GitError)
  await rename(`${repository}-aside`, repository)
  expect(await read(repository, [first], pool)).toEqual(['x'])
  pool.end(repository)
})

it('idle readers are ended after a rest, when there are too many, and when they use too much memory', async () => {
  const made = await Promise.all([makeRepository(), makeRepository(), makeRepository()])
  const look = async (pool: ReaderPool) => {
    for (const { repository } of made) await read(repository, ['absent'], pool)
    return pool.idlePids()
  }
  const few = createReaderPool({ maxIdle: 2 })
  const pids = await look(few)
  expect(pids).toHaveLength(2)
  for (const { repository } of made) few.end(repository)
  expect(few.idlePids()).toEqual([])
  await expect.poll(() => pids.some(isAlive)).toBe(false)
  const small = createReaderPool({ maxIdleBytes: 1 })
  expect(await look(small)).toEqual([])
  const restless = createReaderPool({ idleMs: 1 })
  expect(await look(restless)).not.toEqual([])
  await expect.poll(() => restless.idlePids()).toEqual([])
})

it.runIf(process.platform === 'linux')('a reader has the memory limit of short commands', async () => {
  const { repository } = await makeRepository()
  const pool = createReaderPool()
  await read(repository, ['absent'], pool)
  const limits = await readFile(`/proc/${pool.idlePids()[0]}/limits`, 'utf8')
  expect(limits).toMatch(/^Max data size +134217728 /m)
  pool.end(repository)
})

it('calls that wait too long are refused, and repositories take turns', async () => {
  const [busy, other] = [await makeRepository(), await makeRepository()]
  const pool = createReaderPool({ concurrency: 1, perRepository: 1, waitMs: 100 })
  const order: string[] = []
  const ask = (name: string, { repository }: { repository: string }) =>
    read(repository, ['absent'], pool).then(() => order.push(name))
  await Promise.all([ask('a1', busy), ask('a2', busy), ask('a3', busy), ask('b1', other)])
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  const [pid] = pool.idlePids().slice(-1)
  kill(pid, 'SIGSTOP')
  const stopped = new AbortController()
  const first = read(busy.repository, ['absent'], pool, stopped.signal).catch(() => 'left')
  await expect(read(busy.repository, ['absent'], pool)).rejects.toMatchObject({ kind: 'tooManyRequests' })
  stopped.abort()
  expect(await first).toBe('left')
  kill(pid)
  for (const { repository } of [busy, other]) pool.end(repository)
})

it('a reader cannot be asked inside a database transaction', async () => {
  const { db, close } = await openTestDatabase()
  const ask = () => read('/nonexistent', ['x'], createReaderPool())
  await expect(withTransaction(db, ask)).rejects.toThrow('inside a database transaction')
  await close()
})

describe('with a program in place of Git', () => {
  async function withGit<T>(script: string, work: () => Promise<T>): Promise<T> {
    const bin = await mkdtemp(join(folder, 'bin-'))
    await writeFile(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const path = process.env.PATH
    process.env.PATH = `${bin}:${path}`
    try {
      return await work()
    } finally {
      process.env.PATH = path
    }
  }
  const real = `PATH=${process.env.PATH} exec git "$@"`

  it('a Git that does not know --batch-command is asked in its older form from then on', async () => {
    const { repository, write } = await makeRepository()
    const first = await write('x')
    const log = join(folder, 'asked')
    const old = `echo "$@" >>${log}; case "$*" in *batch-command*) exit 129;; esac; ${real}`
    const pool = createReaderPool()
    const texts = await withGit(old, async () => [
      await read(repository, [first], pool),
      await read(repository, [first, 'absent'], pool),
    ])
    expect(texts).toEqual([['x'], ['x', undefined]])
    expect(pool.form).toBe('pair')
    expect((await readFile(log, 'utf8')).match(/batch-command/g)).toHaveLength(1)
    pool.end(repository)
  })

  it.each([
    ['answers something else', 'while read line; do echo hello; done'],
    ['exits at once', 'exit 0'],
    ['is killed at once', 'kill -KILL $$'],
  ])('a reader that %s is replaced, and the call fails after a few attempts', async (_, script) => {
    const { repository } = await makeRepository()
    const pool = createReaderPool()
    await withGit(script, async () => {
      await expect(read(repository, ['a'], pool)).rejects.toThrow(GitError)
    })
    expect(await read(repository, ['a'], pool)).toEqual([undefined])
    pool.end(repository)
  })

  it('an answer after the call has ended belongs to nobody', async () => {
    const { repository, write } = await makeRepository()
    const first = await write('x')
    const pool = createReaderPool()
    const late = `echo 'a missing'; sleep 0.1; echo '${first} blob 1'; exec sleep 60`
    await withGit(late, async () => expect(await read(repository, ['a'], pool)).toEqual([undefined]))
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(await read(repository, [first], pool)).toEqual(['x'])
    pool.end(repository)
  })
})

it('no test leaves a reader behind', async () => {
  const ids = (await readdir('/proc').catch(() => [])).filter(id => /^\d+$/.test(id))
  const lines = () => Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  await expect.poll(async () => (await lines()).filter(line => line.includes(folder))).toEqual([])
})
