import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { streamOutput } from '../git/stream-output'
import { answering } from './session'

const pace = { graceMs: 200, bytesPerSecond: 4096 }

/** Answers with these chunks; returns what was taken of them, and whether the session was ended. */
async function answer(chunks: Iterable<Buffer>, write: (bytes: Uint8Array) => Promise<void>) {
  const disconnected = new AbortController()
  let bytesRead = 0
  const session = {
    command: undefined,
    protocol: '',
    input: new PassThrough(),
    disconnected: disconnected.signal,
    async write(bytes: Uint8Array) {
      await write(bytes)
      bytesRead += bytes.length
    },
    printLine: () => undefined,
    end: () => disconnected.abort(),
  }
  async function* said() {
    yield* chunks
  }
  await answering(session, pace, async output => {
    const { finish } = await streamOutput(said(), output, {}, { pace })
    finish()
  })
  return { bytesRead, ended: disconnected.signal.aborted }
}

const never = () => new Promise<void>(() => undefined)

it('a session ends if the client reads nothing of a short response', async () => {
  expect(await answer([Buffer.alloc(100)], never)).toEqual({ bytesRead: 0, ended: true })
})

it('a session ends if the client reads nothing of a long response', async () => {
  const chunks = Array.from({ length: 10 }, () => Buffer.alloc(64 * 1024))
  expect(await answer(chunks, never)).toEqual({ bytesRead: 0, ended: true })
})

it('a client that reads slowly receives the whole response', async () => {
  const chunks = Array.from({ length: 30 }, () => Buffer.alloc(200))
  const slowly = () => delay(20)
  expect(await answer(chunks, slowly)).toEqual({ bytesRead: 6000, ended: false })
})
