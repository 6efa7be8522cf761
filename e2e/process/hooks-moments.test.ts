import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '@/db/client'
import { startPostgres } from '@/db/testing/postgres-server'
import { openReceiver, type Received, type Receiver } from '@/testing/receiver'
import { type Guildhall, start } from './guildhall'
import {
  apiOf,
  letAMinutePass,
  makeOrganization,
  makeTeam,
  siteOnPostgres,
  type TestSite,
  untilDelivered,
} from './hooks'

const postgres = await startPostgres()

let site: TestSite
let receiver: Receiver
let token: string
let running: Guildhall
let other: Guildhall | undefined
const startOne = () => start(site.environment)
const apiAt = ({ url }: Guildhall) => apiOf(url, token)
const happens = async (times: number, at = running) => {
  for (let time = 0; time < times; time++) expect((await makeTeam(apiAt(at))).status).toBe(201)
}
const idOf = ({ headers }: Received) => headers['x-gitea-delivery']

afterAll(() => postgres?.stop())

describe.skipIf(!postgres)('a delivery', () => {
  beforeAll(async () => {
    site = await siteOnPostgres(postgres!.url)
    receiver = await openReceiver()
    running = await startOne()
    token = (await makeOrganization(running.url, [receiver.url])).token
  })
  beforeEach(() => {
    receiver.calls.length = 0
    receiver.answer(response => void response.end())
  })
  afterAll(async () => {
    for (const each of [running, other]) await each?.end('SIGKILL')
    await receiver.close()
    await site[Symbol.asyncDispose]()
  })

  it('arrives once if the process is killed after committing the event but before committing the delivery', async () => {
    await site.inDatabase(async db => {
      const release = await holdHooks(db)
      await happens(1)
      await somethingWaits(db)
      await running.end('SIGKILL')
      await release()
      await letAMinutePass(db)
    })
    expect(receiver.calls).toEqual([])
    running = await startOne()
    await untilDelivered(apiAt(running))
    expect(receiver.calls).toHaveLength(1)
  })

  it('is sent again unchanged if the process is killed after the response arrives but before recording it', async () => {
    const answered = new Promise<() => void>(resolve => {
      receiver.answer(response => resolve(() => response.end()))
    })
    await happens(1)
    const answer = await answered
    await site.inDatabase(async db => {
      const release = await holdHooks(db)
      answer()
      await somethingWaits(db)
      await running.end('SIGKILL')
      await release()
      await letAMinutePass(db)
    })
    receiver.answer(response => void response.end())
    running = await startOne()
    await untilDelivered(apiAt(running))
    const [first, second, ...others] = receiver.calls
    expect([idOf(second!), second?.body, others]).toEqual([idOf(first!), first?.body, []])
  })

  it('that is in flight when the process stops finishes within seconds, or is sent immediately by the next process', {
    tags: 'slow',
  }, async () => {
    const open: ServerResponse[] = []
    receiver.answer(response => void open.push(response))
    await happens(6)
    const begun = (await receiver.got(6)).map(idOf)
    const stopped = performance.now()
    const ended = running.end('SIGTERM')
    for (const response of open.slice(0, 3)) response.end()
    expect(await ended).toBe(0)
    expect(performance.now() - stopped).toBeLessThan(15_000)
    receiver.answer(response => void response.end())
    running = await startOne()
    await untilDelivered(apiAt(running))
    expect(receiver.calls.slice(6).map(idOf).sort()).toEqual(begun.slice(3).sort())
  })

  it('is sent only once if two processes run', async () => {
    other = await startOne()
    const both = [running, other]
    await Promise.all(both.map(each => happens(20, each)))
    await untilDelivered(apiAt(other))
    expect(new Set(receiver.calls.map(idOf)).size).toBe(40)
    expect(receiver.calls).toHaveLength(40)
  })

  it('is taken over by another process after the lease of a killed process expires', {
    tags: 'slow',
  }, async () => {
    const open = new Map<ServerResponse, Received>()
    receiver.answer((response, call) => void open.set(response, call))
    other ??= await startOne()
    await happens(4)
    await receiver.got(4)
    await running.end('SIGKILL')
    receiver.answer(response => void response.end())
    await expect.poll(() => [...open.keys()].some(response => response.destroyed)).toBe(true)
    const cut = [...open].flatMap(([response, call]) => (response.destroyed ? idOf(call) : []))
    await site.inDatabase(letAMinutePass)
    await untilDelivered(apiAt(other))
    expect(receiver.calls.slice(4).map(idOf)).toEqual(expect.arrayContaining(cut))
  })
})

/**
 * Locks all webhooks, so that neither deliveries nor their results can be written until the returned function
 * is called.
 */
async function holdHooks(db: Db): Promise<() => Promise<void>> {
  const transaction = await db.startTransaction().execute()
  await transaction.selectFrom('hooks').select('id').forUpdate().execute()
  return () => transaction.rollback().execute()
}

async function somethingWaits(db: Db): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows.length
      },
      { timeout: 20_000, interval: 20 },
    )
    .toBeGreaterThan(0)
}
