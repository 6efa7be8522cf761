import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { jobContext } from '@/server/services'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { sweepSessionsJob } from './sweep'

const site = useSite()

it('sweepSessionsJob deletes the expired sessions of all people and keeps the others', async () => {
  const people = [await makePerson(site), await makePerson(site)]
  const rows = people.flatMap(({ account }) =>
    [-1, 1].map(hours => ({
      user_id: account.id,
      token_hash: randomBytes(32),
      user_agent: hours < 0 ? 'expired' : 'live',
      expires_at: new Date(Date.now() + hours * 60 * 60 * 1000),
    })),
  )
  await site.db.insertInto('sessions').values(rows).execute()
  await sweepSessionsJob.run(jobContext(site.services, 'sweep'), new AbortController().signal)
  const left = await site.db.selectFrom('sessions').select('user_agent').execute()
  expect(left).toEqual([{ user_agent: 'live' }, { user_agent: 'live' }])
})
