import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { type Unavailability, unavailableDatabase } from '@/db/unavailable'
import { createLog } from '@/server/kernel/log'
import { useSite } from '@/testing/site'
import { shutDown, stopOnSignal } from './stop'

const site = useSite()
const delay = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const idle = { stop: async () => undefined }

it('stopping fails after a time limit if the database does not close', async () => {
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

it('stopping takes at most 28 seconds, regardless of what does not end', async () => {
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

it('stopping fails but still closes the database if the pages do not close', async () => {
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

/** A process that stops on signals and whose database ends when the test says so. */
async function stoppable() {
  const lines: { level: string; msg: string }[] = []
  const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
  const listeners = new Map<string, (name: string) => void>()
  const on = vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    listeners.set(String(name), listener as never)
    return process
  })
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
  let end: (why: Error) => void = () => undefined
  const ended = new Promise<Error>(resolve => (end = resolve))
  let closePages: () => void = () => undefined
  const pagesClosed = new Promise<void>(resolve => (closePages = resolve))
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const database = { ...site.services.database, ended, close: async () => undefined }
  const rest = { jobs: idle, workers: idle, closePages: () => pagesClosed }
  stopOnSignal(server, { ...site.services, log, database }, rest)
  on.mockRestore()
  return {
    lines,
    exit,
    closePages,
    signal: (name: string) => listeners.get(name)?.(name),
    end: async (why: Unavailability) => {
      end(unavailableDatabase(why, 'it has ended'))
      await delay(20)
    },
  }
}

it('a database that ends while the process is stopping interrupts nothing but makes it exit with code 1', async () => {
  const { signal, end, exit, closePages } = await stoppable()
  signal('SIGTERM')
  await end('full')
  expect(exit).not.toHaveBeenCalled()
  closePages()
  await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]))
  exit.mockRestore()
})

it('a second signal ends the process immediately', async () => {
  const { signal, exit, closePages } = await stoppable()
  signal('SIGINT')
  expect(exit).not.toHaveBeenCalled()
  signal('SIGINT')
  expect(exit.mock.calls).toEqual([[1]])
  closePages()
  await vi.waitFor(() => expect(exit).toHaveBeenCalledTimes(2))
  exit.mockRestore()
})

it.each([
  ['full', true],
  ['failing', false],
] as const)(
  'the log message for a database that ended because its storage is %s advises to make room: %s',
  async (why, isRoom) => {
    const { end, lines, exit, closePages } = await stoppable()
    await end(why)
    closePages()
    await vi.waitFor(() => expect(exit.mock.calls).toEqual([[1]]))
    const [fatal] = lines.filter(({ level }) => level === 'fatal')
    expect(fatal?.msg.includes('make room')).toBe(isRoom)
    exit.mockRestore()
  },
)
