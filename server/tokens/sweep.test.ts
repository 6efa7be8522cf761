import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { jobContext } from '@/server/services'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { sweepTokensJob } from './sweep'

const site = useSite()

it('the sweep deletes tokens that expired three months ago, and keeps those that expired recently', async () => {
  const { account } = await makePerson(site)
  const days = [-91, -89, 1]
  await site.db
    .insertInto('access_tokens')
    .values(
      days.map(day => ({
        user_id: account.id,
        name: `of day ${day}`,
        scopes: ['all'],
        token_hash: randomBytes(32),
        token_last_eight: '89abcdef',
        expires_at: new Date(Date.now() + day * 24 * 60 * 60 * 1000),
      })),
    )
    .execute()
  await sweepTokensJob.run(jobContext(site.services, 'sweep'), new AbortController().signal)
  const left = await site.db
    .selectFrom('access_tokens')
    .select('name')
    .where('user_id', '=', account.id)
    .where('expires_at', 'is not', null)
    .orderBy('expires_at')
    .execute()
  expect(left.map(({ name }) => name)).toEqual(['of day -89', 'of day 1'])
})
