import { expect, it } from 'vitest'
import { jobContext } from '@/server/services'
import { useSite } from '@/testing/site'
import { sweepPushesJob } from './sweep'

const site = useSite()

it('the push cleanup job deletes the marker of a recorded push after a week', async () => {
  const old = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000)
  await site.db
    .insertInto('recorded_pushes')
    .values([{ key: 'old', created_at: old }, { key: 'new' }])
    .execute()
  await sweepPushesJob.run(jobContext(site.services, 'sweep'), new AbortController().signal)
  const left = await site.db.selectFrom('recorded_pushes').select('key').execute()
  expect(left).toEqual([{ key: 'new' }])
})
