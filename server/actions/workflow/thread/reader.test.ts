import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { keptLog } from '@/testing/kept-log'
import { createReader } from './reader'

// Simulates the real thread, whose other limits let no workflow take longer than allowed.
const module = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ input }) => {
  if (input.document.startsWith('hostile')) for (;;) {}
  if (input.document === 'end') process.exit()
  parentPort.postMessage({ result: JSON.stringify({ name: input.document, events: [] }) })
})
parentPort.postMessage('loaded')`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reader-'))
  await writeFile(join(folder, 'thread.mjs'), module)
})

const deadlineMs = 200

function open(file = 'thread.mjs') {
  const { log, text } = keptLog()
  const read = createReader(join(folder, file), { deadlineMs })
  const asking = { caller: { kind: 'anonymous' }, remoteAddress: '', log } as const
  const summarize = (accountId: number, document: string) =>
    read({ ...asking, accountId }, 'summarize', { document })
  return { summarize, text }
}

it('an account whose workflows repeatedly take too long makes others wait for at most one of them', async () => {
  const { summarize } = open()
  await summarize(1, 'plain')
  let isOver = false
  const statuses = new Set<string>()
  let reached = 0
  const flood = async (at: number) => {
    for (let time = 0; !isOver; time++) {
      const kind = await summarize(1, `hostile ${at} ${time}`).catch(error => error.kind)
      statuses.add(kind)
      if (kind === 'unprocessable') reached++
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  const floods = Array.from({ length: 20 }, (_, at) => flood(at))
  while (reached < 3) {
    const before = reached
    expect(await summarize(2, 'plain')).toMatchObject({ name: 'plain' })
    expect(reached - before).toBeLessThanOrEqual(1)
  }
  isOver = true
  await Promise.all(floods)
  expect([...statuses].sort()).toEqual(['tooManyRequests', 'unprocessable'])
})

it('workflows are unavailable when the thread exits unexpectedly, and the next one starts a new thread', async () => {
  const { summarize } = open()
  await expect(summarize(1, 'end')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 5 })
  expect(await summarize(1, 'plain')).toMatchObject({ name: 'plain' })
})

it("without the thread's file, workflows are unavailable until it exists, and one line of the log says what to do", async () => {
  const { summarize, text } = open('missing.mjs')
  await expect(summarize(1, 'plain')).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'workflows cannot be read right now; try again in a moment',
  })
  const lines = text()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'error',
      file: join(folder, 'missing.mjs'),
      msg: expect.stringContaining('npm run build'),
    }),
  ])
  await writeFile(join(folder, 'missing.mjs'), module)
  expect(await summarize(1, 'plain')).toMatchObject({ name: 'plain' })
})
