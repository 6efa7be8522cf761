import { expect, it } from 'vitest'
import { makePerson } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import { isPaused, pausedAt } from './state'

const site = useSite()
const now = new Date('2026-03-01T00:00:00Z')
const earlier = new Date(now.getTime() - 1)
const later = new Date(now.getTime() + 1)

it.each([
  ['enabled', { disabled_at: null, resume_at: null }, false],
  ['paused until somebody resumes it', { disabled_at: earlier, resume_at: null }, true],
  ['paused for some time', { disabled_at: earlier, resume_at: later }, true],
  ['resumed by itself', { disabled_at: earlier, resume_at: now }, false],
])('isPaused and its SQL form agree on a runner that is %s', async (_, columns, paused) => {
  const { runner } = await makeRunner(site, await makePerson(site))
  await site.db.updateTable('runners').set(columns).where('id', '=', runner.id).execute()
  const row = await site.db
    .selectFrom('runners')
    .select(['disabled_at', 'resume_at', pausedAt(now).as('is_paused')])
    .where('id', '=', runner.id)
    .executeTakeFirstOrThrow()
  expect([isPaused(row, now), row.is_paused]).toEqual([paused, paused])
})
