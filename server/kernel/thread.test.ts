import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createThread } from './thread'

const module = `
import { parentPort, threadId } from 'node:worker_threads'
parentPort.on('message', what => {
  if (what === 'spin') for (;;) {}
  if (what === 'hoard') { const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length)) }
  if (what === 'throw') throw new Error('thrown')
  if (what === 'exit') process.exit()
  if (what === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
  parentPort.postMessage(what === 'environment' ? { ...process.env } : threadId)
})
parentPort.postMessage('loaded')`

let file: string
beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'thread-')), 'thread.mjs')
  await writeFile(file, module)
})

const open = (limits = {}) =>
  createThread({ file, deadlineMs: 5_000, longestMs: 20_000, memoryMb: 32, idleMs: 60_000, ...limits })

it('a call in a worker thread fails if it takes too much time or memory, and the next call gets a new thread', async () => {
  const thread = open({ deadlineMs: 300 })
  const first = await thread('id')
  await expect(thread('spin')).rejects.toMatchObject({ limit: 'time' })
  const second = await thread('id')
  expect(second).not.toBe(first)
  const roomy = open()
  await expect(roomy('hoard')).rejects.toMatchObject({ limit: 'memory' })
  expect(await roomy('id')).toEqual(expect.any(Number))
})

it('a call in a worker thread succeeds if its response arrived in time, even if the caller was blocked until later', async () => {
  const thread = open({ deadlineMs: 300 })
  await thread('id')
  const answer = thread('id')
  for (const until = performance.now() + 600; performance.now() < until; );
  expect(await answer).toEqual(expect.any(Number))
})

it('a call in a worker thread that got too little processor time has more time, and then fails with the limit "processor"', async () => {
  expect(await open({ deadlineMs: 200 })('sleep')).toEqual(expect.any(Number))
  const thread = open({ deadlineMs: 100, longestMs: 300 })
  await expect(thread('sleep')).rejects.toMatchObject({ limit: 'processor' })
})

it('a call in a worker thread that exits by itself fails with ThreadEnded, and the next call gets a new thread', async () => {
  const thread = open()
  await expect(thread('throw')).rejects.toMatchObject({ name: 'ThreadEnded', message: 'thrown' })
  await expect(thread('exit')).rejects.toMatchObject({ name: 'ThreadEnded' })
  expect(await thread('id')).toEqual(expect.any(Number))
})

it('a worker thread that could not be started is started again for the next call, whose time limit excludes the start', async () => {
  const later = join(dirname(file), 'later.mjs')
  const thread = open({ file: later, deadlineMs: 300 })
  await expect(thread('id')).rejects.toMatchObject({ name: 'ThreadEnded' })
  await writeFile(later, "throw new Error('unfit')")
  await expect(thread('id')).rejects.toMatchObject({ name: 'ThreadEnded', message: 'unfit' })
  await writeFile(later, `await new Promise(done => setTimeout(done, 600))\n${module}`)
  expect(await thread('id')).toEqual(expect.any(Number))
})

it('a worker thread is reused for the next call, stops when idle, and is started again on demand', async () => {
  const thread = open({ idleMs: 200 })
  const first = await thread('id')
  expect(await thread('id')).toBe(first)
  await expect.poll(() => thread('id'), { interval: 300, timeout: 10_000 }).not.toBe(first)
})

it('a worker thread gets none of the server’s environment variables', async () => {
  expect(await open()('environment')).toEqual({})
})
