import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { series } from '@/testing/series'
import { type Child, compileScript, type Script } from '../testing/child-process'
import { lockDirectory } from './lock'

vi.setConfig({ testTimeout: 60_000 })

// Acquires the lock, reports it, and keeps it until killed. With "freeze", it also blocks the event loop.
const holder = `
  import { lockDirectory } from './db/embedded/lock'
  try {
    await lockDirectory(process.argv[2])
    console.log('held')
    if (process.argv[3] === 'freeze') setTimeout(() => { for (;;); }, 50)
    setInterval(() => {}, 1000)
  } catch (error) {
    console.log(error.message)
  }`

let script: Script
let home: string
let directory: string
const children: Child[] = []

beforeAll(async () => {
  script = await compileScript(holder)
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-lock-'))
  directory = join(home, 'postgres')
  return async () => {
    for (const child of children.splice(0)) await kill(child)
    await rm(home, { recursive: true, force: true })
  }
})
afterAll(() => script.remove())

function hold(path: string, mode = ''): Child {
  const child = script.start([path, mode])
  children.push(child)
  return child
}

async function kill(child: Child): Promise<void> {
  child.process.kill('SIGKILL')
  await child.ended()
}

it('lockDirectory rejects a second process and names the one that has the lock', async () => {
  const first = hold(directory)
  expect(await first.line()).toBe('held')
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${first.process.pid}`)
})

it('lockDirectory rejects a second lock in the same process', async () => {
  const lock = await lockDirectory(directory)
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by this process (${process.pid})`)
  await lock.release()
})

it('lockDirectory can lock a directory again after a release, and leaves no files behind', async () => {
  await (await lockDirectory(directory)).release()
  await (await lockDirectory(directory)).release()
  expect(await readdir(home)).toEqual([])
})

it('lockDirectory takes over from a process that was killed', async () => {
  const first = hold(directory)
  await first.line()
  await kill(first)
  await (await lockDirectory(directory)).release()
  expect(await readdir(home)).toEqual([])
})

it('lockDirectory treats an owner that is too busy to respond as alive', async () => {
  const busy = hold(directory, 'freeze')
  await busy.line()
  await new Promise(resolve => setTimeout(resolve, 200))
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${busy.process.pid}`)
})

it('lockDirectory recognizes the same directory behind a symbolic link', async () => {
  await mkdir(directory)
  await symlink(home, `${home}-link`)
  const lock = await lockDirectory(directory)
  await expect(lockDirectory(join(`${home}-link`, 'postgres'))).rejects.toThrow('in use')
  await lock.release()
  await rm(`${home}-link`)
})

it('lockDirectory works for a directory whose path is too long for a socket', async () => {
  const deep = join(home, 'd'.repeat(120), 'e'.repeat(120))
  await mkdir(deep, { recursive: true })
  const child = hold(join(deep, 'postgres'))
  expect(await child.line()).toBe('held')
  await expect(lockDirectory(join(deep, 'postgres'))).rejects.toThrow(`process ${child.process.pid}`)
  await kill(child)
  await (await lockDirectory(join(deep, 'postgres'))).release()
})

it('lockDirectory lets exactly one of many concurrent calls take over from a dead owner', {
  tags: 'series',
}, async () => {
  for (let round = 0; round < series(3, 20); round++) {
    const dead = hold(directory)
    await dead.line()
    await kill(dead)
    const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => lockDirectory(directory)))
    const winners = attempts.flatMap(attempt => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    expect(winners).toHaveLength(1)
    await winners[0]?.release()
  }
})

it('lockDirectory lets exactly one of several concurrent processes take over from a dead owner', {
  tags: 'series',
}, async () => {
  for (let round = 0; round < series(1, 5); round++) {
    const contenders = Array.from({ length: 6 }, () => hold(directory))
    const answers = await Promise.all(contenders.map(child => child.line()))
    expect(answers.filter(answer => answer === 'held')).toHaveLength(1)
    for (const child of contenders) await kill(child)
  }
})
