import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openEmbeddedCopy } from '@/db/testing/embedded-template'
import { parseConfig } from '@/server/kernel/config'
import type { Worker } from '@/server/kernel/jobs'
import { createLog, type Logger } from '@/server/kernel/log'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { createServices, type Services } from '@/server/services'
import { schedule, workers } from './registry'
import { startWorkers } from './workers'

let database: OpenDatabase
beforeAll(async () => {
  database = await openEmbeddedCopy()
})
afterAll(() => database.close())

function servicesOn(open: OpenDatabase, log: Logger): Services {
  const config = parseConfig({})
  return createServices(config, open, createDiskStorage('/nonexistent', log), log)
}

function start(run: Worker['run']) {
  const lines: Record<string, unknown>[] = []
  const log = createLog('debug', { write: line => void lines.push(JSON.parse(line)) })
  return {
    lines,
    ...startWorkers(servicesOn(database, log), [{ name: 'test.work', run }], { minMs: 10, maxMs: 20 }),
  }
}

describe('a background worker', () => {
  it('has a name that no other worker or job has', () => {
    const names = [...workers, ...schedule.map(({ job }) => job)].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('runs from the start until the workers are stopped, and is waited for', async () => {
    let ended = false
    const run = vi.fn<Worker['run']>(async (_, { signal }) => {
      await once(signal, 'abort')
      ended = true
    })
    const { stop } = start(run)
    await expect.poll(() => run.mock.calls.length).toBe(1)
    expect(run).toHaveBeenCalledWith(
      expect.objectContaining({ caller: { kind: 'system', job: 'test.work' } }),
      expect.objectContaining({ aloneAt: database.kind === 'embedded' ? expect.any(Date) : undefined }),
    )
    await stop()
    expect(ended).toBe(true)
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('receives the start time of its process if no other process was using the database at that time', async () => {
    const services = servicesOn({ ...database, kind: 'server' }, createLog('silent'))
    const aloneAt = new Date(0)
    services.link = { aloneAt: Promise.resolve(aloneAt), close: async () => undefined }
    const run = vi.fn<Worker['run']>(async () => undefined)
    const { stop } = startWorkers(services, [{ name: 'test.work', run }])
    await expect.poll(() => run.mock.calls[0]?.[1].aloneAt).toBe(aloneAt)
    await stop()
  })

  it('that fails is logged and restarted', async () => {
    let runs = 0
    const { lines, stop } = start(async (_, { signal }) => {
      if (++runs < 3) throw new Error('the disk is full')
      await once(signal, 'abort')
    })
    await expect.poll(() => runs).toBe(3)
    await stop()
    expect(lines).toMatchObject([
      { level: 'error', worker: 'test.work', err: { message: 'the disk is full' } },
      { level: 'error', worker: 'test.work' },
    ])
  })

  it('that returns is not restarted', async () => {
    const run = vi.fn(async () => undefined)
    const { stop } = start(run)
    await expect.poll(() => run.mock.calls.length).toBe(1)
    await stop()
    expect(run).toHaveBeenCalledTimes(1)
  })
})
