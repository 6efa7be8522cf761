// @module-tag slow
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { startOwnPostgres } from '@/db/testing/postgres-server'
import { mountSmallDisk } from '@/testing/small-disk'
import { addKey, adminToken, allTitles, freshKey } from './api'
import { adminEnvironment, start, temporaryDirectory } from './guildhall'

const disk = await mountSmallDisk(220)
const postgres = disk && (await startOn(disk.directory))
afterAll(async () => {
  await postgres?.stop()
  await disk?.unmount()
})

async function startOn(directory: string): ReturnType<typeof startOwnPostgres> {
  const { TMPDIR: before } = process.env
  process.env.TMPDIR = directory
  try {
    return await startOwnPostgres({ fsync: 'off', max_wal_size: '32MB', min_wal_size: '32MB' })
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

const troubles: [name: string, begin: () => Promise<unknown>, end: () => Promise<unknown>][] = [
  ['read-only', () => setReadOnly('on'), () => setReadOnly('off')],
  ['on a full disk', fillDisk, () => disk!.empty()],
  ['halted', () => postgres!.halt(), () => postgres!.goOn()],
]

it.skipIf(!postgres)(
  'requests return 503 and nothing is lost while PostgreSQL is read-only, on a full disk or suspended under load, and writes succeed again within five seconds',
  { timeout: 240_000 },
  async () => {
    await using directory = await temporaryDirectory()
    const site = await start({
      DATABASE_URL: postgres!.url,
      GUILDHALL_DATA_DIR: join(directory.path, 'data'),
      ...adminEnvironment,
    })
    const token = await adminToken(site.url)
    const kept = new Set<string>()
    let answers: Record<string, number> = {}
    const load = new AbortController()
    const lane = async (): Promise<void> => {
      while (!load.signal.aborted) {
        const key = freshKey()
        const answer = await addKey(site.url, token, key)
        answers[answer.status] = (answers[answer.status] ?? 0) + 1
        if (answer.status === 201) kept.add(key.title)
        await delay(60)
      }
    }
    const lanes = [lane(), lane(), lane()]
    for (const [name, begin, end] of troubles) {
      const before = kept.size
      await expect.poll(() => kept.size, waits).toBeGreaterThan(before + 10)
      answers = {}
      await begin()
      await expect.poll(() => answers[503] ?? 0, waits).toBeGreaterThan(10)
      await end()
      const begun = performance.now()
      const written = kept.size
      await expect.poll(() => kept.size, waits).toBeGreaterThan(written + 3)
      const backMs = performance.now() - begun
      await expect.poll(async () => (await fetch(`${site.url}/readyz`)).status, waits).toBe(200)
      const readyMs = performance.now() - begun
      expect(Math.max(backMs, readyMs), name).toBeLessThan(5_000)
      expect(
        Object.keys(answers).filter(status => !['201', '503'].includes(status)),
        name,
      ).toEqual([])
    }
    load.abort()
    await Promise.all(lanes)
    const titles = await allTitles(site.url, token)
    expect([...kept].filter(title => !titles.has(title))).toEqual([])
    expect(await site.end('SIGTERM')).toBe(0)
  },
)

const waits = { timeout: 40_000, interval: 20 }

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const client = new pg.Client({ connectionString: postgres!.url })
  await client.connect()
  await client.query(`alter system set default_transaction_read_only = ${value}`)
  await client.query('select pg_reload_conf()')
  await client.end()
}

// PostgreSQL writes to the disk at the same time, and may fill it first.
async function fillDisk(): Promise<void> {
  await disk!.fill().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error
  })
}
