import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '@/db/client'
import { addToOrg, makeOrg, makeUser } from '@/db/testing/factories'
import { newSessionToken } from '@/server/auth/credentials/secret-token'
import { sessionExpiry } from '@/server/auth/credentials/session'
import type { Topic } from '@/server/live/schema'
import { follow, type LiveStream } from '@/testing/live-stream'
import { tokenFor } from './seed'
import { type ServerData, startServer } from './server-process'

const people = 500
const changes = 20

/**
 * Prints how much server memory 500 open live streams use, and how long it takes until all of them report a
 * change.
 */
export async function benchLiveStreams(data: ServerData): Promise<void> {
  const { org, token, sessions } = await seed(data)
  const server = await startServer('dist/main.js', 4613, data)
  try {
    for (let count = 0; count < 200; count++) await fetch(`${server.url}/api/v1/version`)
    await delay(3_000)
    const before = await server.residentMb()
    const streams = await Promise.all(
      sessions.map(({ userId, cookie }) =>
        follow(server.url, [{ topic: 'organization', id: org.id } satisfies Topic], { cookie, userId }),
      ),
    )
    await Promise.all(streams.map(stream => stream.waitFor(({ messages }) => messages.length > 0)))
    await delay(5_000)
    const open = await server.residentMb()
    const times: number[] = []
    for (let count = 1; count <= changes; count++) {
      const began = performance.now()
      await change(server.url, org.name, token, count)
      const waitFor = await Promise.all(streams.map(stream => notifiedAt(stream, count)))
      times.push(...waitFor.map(at => at - began))
      await delay(200)
    }
    const after = await server.residentMb()
    for (const stream of streams) stream.close()
    times.sort((a, b) => a - b)
    const at = (share: number) => `${(times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(0)} ms`
    process.stdout.write(
      `  ${people} open streams of ${people} people use ${open - before} MB of memory, ${after - before} MB after ` +
        `${changes} changes; time from a change to its notification p50 ${at(0.5)}   p99 ${at(0.99)}\n`,
    )
  } finally {
    await server.stop()
  }
}

async function notifiedAt(stream: LiveStream, count: number): Promise<number> {
  return await stream.waitFor(
    ({ messages }) => messages.filter(({ type }) => type === 'changed').length >= count && performance.now(),
  )
}

async function change(url: string, org: string, token: string, count: number): Promise<void> {
  const response = await fetch(`${url}/api/v1/orgs/${org}`, {
    method: 'PATCH',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ description: `change ${count}` }),
  })
  if (response.status !== 200) throw new Error(await response.text())
}

async function seed(data: ServerData) {
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db)
  const org = await makeOrg(db, owner.id, { visibility: 'private' })
  const sessions = []
  for (let count = 0; count < people; count++) {
    const { id: userId } = await makeUser(db)
    await addToOrg(db, org.id, userId)
    const { secret, hash } = newSessionToken()
    const session = { user_id: userId, token_hash: hash, user_agent: '', remote_address: '' }
    await db
      .insertInto('sessions')
      .values({ ...session, expires_at: sessionExpiry(new Date()) })
      .execute()
    sessions.push({ userId, cookie: `guildhall_session=${secret}` })
  }
  const token = await tokenFor(db, owner.id)
  await close()
  return { org, token, sessions }
}
