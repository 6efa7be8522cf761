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

it('a call that takes too long or too much memory fails, and the next has a new thread', async () => {
  const thread = open({ deadlineMs: 300 })
  const first = await thread('id')
  await expect(thread('spin')).rejects.toMatchObject({ limit: 'time' })
  const second = await thread('id')
  expect(second).not.toBe(first)
  const roomy = open()
  await expect(roomy('hoard')).rejects.toMatchObject({ limit: 'memory' })
  expect(await roomy('id')).toEqual(expect.any(Number))
})

it('an answer that came in time counts, however long the one who asked was held up', async () => {
  const thread = open({ deadlineMs: 300 })
  await thread('id')
  const answer = thread('id')
  for (const until = performance.now() + 600; performance.now() < until; );
  expect(await answer).toEqual(expect.any(Number))
})

it('a call that did not get the processor has longer, and then reached no limit of its own', async () => {
  expect(await open({ deadlineMs: 200 })('sleep')).toEqual(expect.any(Number))
  const thread = open({ deadlineMs: 100, longestMs: 300 })
  await expect(thread('sleep')).rejects.toMatchObject({ limit: 'processor' })
})

it('a thread that ends by itself is told from one that reached a limit, and the next call has a new one', async () => {
  const thread = open()
  await expect(thread('throw')).rejects.toMatchObject({ name: 'ThreadEnded', message: 'thrown' })
  await expect(thread('exit')).rejects.toMatchObject({ name: 'ThreadEnded' })
  expect(await thread('id')).toEqual(expect.any(Number))
})

it('a thread that cannot be started is started anew for the next call, and its start counts as no call', async () => {
  const later = join(dirname(file), 'later.mjs')
  const thread = open({ file: later, deadlineMs: 300 })
  await expect(thread('id')).rejects.toMatchObject({ name: 'ThreadEnded' })
  await writeFile(later, "throw new Error('unfit')")
  await expect(thread('id')).rejects.toMatchObject({ name: 'ThreadEnded', message: 'unfit' })
  await writeFile(later, `await new Promise(done => setTimeout(done, 600))\n${module}`)
  expect(await thread('id')).toEqual(expect.any(Number))
})

it('a thread stays for the next call, ends when nobody calls, and starts anew', async () => {
  const thread = open({ idleMs: 200 })
  const first = await thread('id')
  expect(await thread('id')).toBe(first)
  await expect.poll(() => thread('id'), { interval: 300, timeout: 10_000 }).not.toBe(first)
})

it('a thread is told none of our settings', async () => {
  expect(await open()('environment')).toEqual({})
})
