import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { findSessionCaller } from '@/server/auth/credentials/session'
import { jobContext } from '@/server/services'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { openSession } from './open'

const site = useSite()
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const sessionsOf = (userId: number) =>
  site.db
    .selectFrom('sessions')
    .select(['user_agent', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .orderBy('last_seen_at')
    .execute()

/** Adds sessions numbered from 1; the first is the least recently used. */
async function fill(userId: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    user_id: userId,
    token_hash: randomBytes(32),
    user_agent: `browser ${index + 1}`,
    last_seen_at: new Date(Date.now() - dayMs + index * minuteMs),
    expires_at: new Date(Date.now() + dayMs),
  }))
  await site.db.insertInto('sessions').values(rows).execute()
}

it('a session expires thirty days after sign-in, even if it is used regularly', async () => {
  const { account } = await makePerson(site)
  const start = Date.now()
  const { secret } = await openSession(jobContext(site.services, 'test'), account, 'browser')
  const onDay = (days: number) => new Date(start + days * dayMs)
  for (const day of [1, 15, 29.9]) {
    expect(await findSessionCaller(site.db, secret, onDay(day))).toBeDefined()
    expect((await sessionsOf(account.id))[0]?.last_seen_at).toEqual(onDay(day))
  }
  expect(await findSessionCaller(site.db, secret, onDay(30.1))).toBeUndefined()
})

it('a sign-in deletes the least recently used session of a person who has a hundred sessions', async () => {
  const [ada, bob] = [await makePerson(site), await makePerson(site)]
  await fill(ada.account.id, 100)
  await fill(bob.account.id, 100)
  await openSession(jobContext(site.services, 'test'), ada.account, 'new')
  const agents = (await sessionsOf(ada.account.id)).map(row => row.user_agent)
  expect([agents.length, agents[0], agents.at(-1)]).toEqual([100, 'browser 2', 'new'])
  expect(await sessionsOf(bob.account.id)).toHaveLength(100)
})

it('simultaneous sign-ins leave a person with no more than a hundred sessions', async () => {
  const { account } = await makePerson(site)
  await fill(account.id, 99)
  const ctx = jobContext(site.services, 'test')
  await Promise.all(Array.from({ length: 5 }, () => openSession(ctx, account, 'new')))
  expect(await sessionsOf(account.id)).toHaveLength(100)
})
