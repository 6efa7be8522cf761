import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { useSite } from '@/testing/site'
import { shutDown } from './stop'

const site = useSite()
const delay = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const idle = { stop: async () => undefined }

it('stopping fails, and does not go on forever, where the database does not close', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const database = { ...site.services.database, close: () => new Promise<void>(() => undefined) }
  const stopped = shutDown(
    server,
    { ...site.services, database },
    { open: new Set(), unused: new Set() },
    { jobs: idle, workers: idle, closePages: async () => undefined },
    { pagesMs: 50, databaseMs: 100 },
  )
  await expect(stopped).rejects.toThrow('the database did not close in time')
  expect(server.listening).toBe(false)
})

it('stopping takes at most 28 seconds, whatever does not end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  try {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const accepted = once(server, 'connection')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    const [socket] = (await accepted) as [Socket]
    const database = { ...site.services.database, close: () => new Promise<void>(() => undefined) }
    let outcome = ''
    shutDown(
      server,
      { ...site.services, database },
      { open: new Set([socket]), unused: new Set() },
      {
        jobs: { stop: () => delay(20_000) },
        workers: idle,
        closePages: () => new Promise<void>(() => undefined),
      },
    ).catch(error => {
      outcome = String(error)
    })
    const closed = once(server, 'close')
    await vi.advanceTimersByTimeAsync(20_000)
    await closed
    await vi.advanceTimersByTimeAsync(7_999)
    expect(outcome).toBe('')
    await vi.advanceTimersByTimeAsync(1)
    expect(outcome).toContain('the database did not close in time')
    client.destroy()
  } finally {
    vi.useRealTimers()
  }
})

it('stopping closes the database also where the pages do not close, and fails then', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = vi.fn(async () => undefined)
  const stopped = shutDown(
    server,
    { ...site.services, database: { ...site.services.database, close } },
    { open: new Set(), unused: new Set() },
    { jobs: idle, workers: idle, closePages: () => new Promise<void>(() => undefined) },
    { pagesMs: 50, databaseMs: 100 },
  )
  await expect(stopped).rejects.toThrow('the pages did not close in time')
  expect(close).toHaveBeenCalledOnce()
})
