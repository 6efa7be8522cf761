// @module-tag slow
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { copyEmbeddedDirectory } from '@/db/testing/embedded-template'
import { mountSmallDisk } from '@/testing/small-disk'
import { adminHeaders } from './api'
import { adminEnvironment, start, startAndFail } from './guildhall'

const disk = await mountSmallDisk(160)
afterAll(() => disk?.unmount())

// PostgreSQL writes its write-ahead log in files of 16 MiB: there is room for everything except the next one.
const leftBytes = 15.5 * 1024 * 1024

it.skipIf(!disk)(
  'a process whose embedded database is on a full disk returns 503, exits with advice, and loses no acknowledged data',
  { timeout: 180_000 },
  async () => {
    const dataDir = join(disk!.directory, 'data')
    await copyEmbeddedDirectory(join(dataDir, 'postgres'))
    const environment = { GUILDHALL_DATA_DIR: dataDir, ...adminEnvironment }
    const site = await start(environment)
    await disk!.fill(leftBytes)

    const answers: Record<string, number> = {}
    const kept = new Map<string, string>()
    const lane = async (name: string): Promise<void> => {
      for (;;) {
        const value = randomBytes(24_000).toString('hex')
        // Requests fail once the process has ended.
        const answer = await setVariable(site.url, name, value).catch(() => undefined)
        if (!answer) return
        answers[answer.status] = (answers[answer.status] ?? 0) + 1
        if (answer.ok) kept.set(name, value)
      }
    }
    const lanes = ['A', 'B', 'C']
    for (const name of lanes) expect((await setVariable(site.url, name, 'first', 'POST')).ok).toBe(true)
    await Promise.all(lanes.map(lane))
    expect(await site.ended).toBe(1)
    expect(Object.keys(answers).sort()).toEqual(['204', '503'])
    expect(site.output().match(/make room on the disk of GUILDHALL_DATA_DIR/g)).toHaveLength(1)

    expect((await startAndFail(environment)).output).toContain('If its disk is full, free up space')
    await disk!.empty()
    const again = await start(environment, site.url)
    for (const [name, value] of kept) expect(await variable(again.url, name), name).toBe(value)
    expect(await again.end('SIGTERM')).toBe(0)
  },
)

const addressOf = (url: string, name: string): string => `${url}/api/v1/user/actions/variables/${name}`

async function setVariable(url: string, name: string, value: string, method = 'PUT'): Promise<Response> {
  const body = JSON.stringify({ value })
  return await fetch(addressOf(url, name), { method, headers: adminHeaders, body })
}

async function variable(url: string, name: string): Promise<string> {
  const answer = await fetch(addressOf(url, name), { headers: adminHeaders })
  return ((await answer.json()) as { data: string }).data
}
