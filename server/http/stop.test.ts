import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it, vi } from 'vitest'
import { useSite } from '@/testing/site'
import { shutDown } from './stop'

const site = useSite()

it('stopping fails, and does not go on forever, where the database does not close', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const database = { ...site.services.database, close: () => new Promise<void>(() => undefined) }
  const stopped = shutDown(
    server,
    { ...site.services, database },
    { open: new Set(), unused: new Set() },
    { jobs: { stop: async () => undefined }, closePages: async () => undefined },
    { closeMs: 50 },
  )
  await expect(stopped).rejects.toThrow('the database did not close in time')
  expect(server.listening).toBe(false)
})

it('stopping closes the database also where the pages do not close, and fails then', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = vi.fn(async () => undefined)
  const stopped = shutDown(
    server,
    { ...site.services, database: { ...site.services.database, close } },
    { open: new Set(), unused: new Set() },
    { jobs: { stop: async () => undefined }, closePages: () => new Promise<void>(() => undefined) },
    { closeMs: 50 },
  )
  await expect(stopped).rejects.toThrow('the pages did not close in time')
  expect(close).toHaveBeenCalledOnce()
})
