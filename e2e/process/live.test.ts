import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { startOwnPostgres } from '@/db/testing/postgres-server'
import type { Topic } from '@/server/live/schema'
import { signIn } from '@/testing/browser'
import { follow, type LiveStream } from '@/testing/live-stream'
import { isSlow } from '@/testing/series'
import { adminHeaders } from './api'
import {
  admin,
  adminEnvironment,
  dataDirectory,
  type Guildhall,
  start,
  temporaryDirectory,
} from './guildhall'

const postgres = isSlow ? await startOwnPostgres() : undefined
afterAll(() => postgres?.stop())

async function call(method: string, url: string, body: object): Promise<{ id: number }> {
  const response = await fetch(url, { method, headers: adminHeaders, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { id: number }
}

const describeOrg = ({ url }: Guildhall, description: string) =>
  call('PATCH', `${url}/api/v1/orgs/acme`, { description })
const edits = ({ messages }: LiveStream) => messages.filter(({ type }) => type === 'changed').length

async function becomesReady({ url }: Guildhall): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await delay(50)
}

/** Opens a live stream of the organization on one of the processes, as the administrator. */
async function openStream({ url }: Guildhall, topic: Topic, after?: string): Promise<LiveStream> {
  const browser = await signIn({ url }, admin)
  const userId = (await browser.query('sessions.getCurrent')).data.user.id
  const stream = await follow(url, [topic], { cookie: browser.cookie, userId, after })
  onTestFinished(() => stream.close())
  await stream.waitFor(({ messages }) => messages.length > 0)
  return stream
}

it.skipIf(!postgres)(
  'a change made through one process reaches open pages of another one, even after PostgreSQL crashes and the other process restarts',
  { tags: 'slow', timeout: 120_000 },
  async () => {
    await using directory = await temporaryDirectory()
    const environment = {
      DATABASE_URL: postgres!.url,
      GUILDHALL_DATA_DIR: join(directory.path, 'data'),
      ...adminEnvironment,
    }
    const one = await start(environment)
    const two = await start(environment)
    const { id } = await call('POST', `${one.url}/api/v1/orgs`, { username: 'acme', visibility: 'private' })
    const topic: Topic = { topic: 'organization', id }
    const stream = await openStream(two, topic)
    expect(stream.messages).toEqual([{ type: 'following' }])
    await describeOrg(one, 'told')
    await stream.waitFor(found => edits(found) === 1)

    await postgres!.crash()
    await expect(describeOrg(one, 'nobody hears this')).rejects.toThrow()
    await postgres!.startAgain()
    await Promise.all([becomesReady(one), becomesReady(two)])
    await describeOrg(one, 'told again')
    await stream.waitFor(found => edits(found) === 2)

    const begun = performance.now()
    const ended = two.end('SIGTERM')
    await stream.over
    expect(stream.events.at(-1)).toBe('return')
    expect(await ended).toBe(0)
    // Open streams do not delay the stop.
    expect(performance.now() - begun).toBeLessThan(10_000)
    const again = await start(environment)
    const reopened = await openStream(again, topic, stream.lastEventId)
    await reopened.waitFor(({ messages }) => messages.find(({ type }) => type === 'resync'))
    await describeOrg(one, 'told once more')
    await reopened.waitFor(found => edits(found) === 1)
    expect(await Promise.all([one.end('SIGTERM'), again.end('SIGTERM')])).toEqual([0, 0])
  },
)

it('a change reaches open pages with the embedded database', async () => {
  await using directory = await dataDirectory()
  const guildhall = await start({ GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment })
  const { id } = await call('POST', `${guildhall.url}/api/v1/orgs`, { username: 'acme' })
  const stream = await openStream(guildhall, { topic: 'organization', id })
  await describeOrg(guildhall, 'told')
  await stream.waitFor(found => edits(found) === 1)
  const ended = guildhall.end('SIGTERM')
  await stream.over
  expect(await ended).toBe(0)
})
