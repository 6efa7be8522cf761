import { expect, it } from 'vitest'
import { contextOf } from '@/testing/actions'
import { makePerson } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import { loadRunner } from '../load'
import { pauseRunner, saveLabels } from './change'

const site = useSite()

async function makeOwnRunner() {
  const ada = await makePerson(site)
  const ctx = contextOf(site, ada)
  const { runner } = await makeRunner(site, ada, { labels: ['linux', 'gpu'] })
  return { ctx, found: await loadRunner(ctx, { kind: 'own' }, runner.id) }
}

it('saving labels replaces those that the form was shown with', async () => {
  const { ctx, found } = await makeOwnRunner()
  const edit = { changes: { labels: 'linux,\narm64' }, expected: { labels: 'linux, gpu' } }
  expect(await saveLabels(ctx, found, edit)).toMatchObject({
    labels: ['linux', 'arm64'],
    labels_edited: true,
  })
})

it('saving labels is a conflict if someone else has changed them since the form was shown', async () => {
  const { ctx, found } = await makeOwnRunner()
  await saveLabels(ctx, found, { changes: { labels: 'theirs' }, expected: { labels: 'linux, gpu' } })
  const late = { changes: { labels: 'mine' }, expected: { labels: 'linux, gpu' } }
  await expect(saveLabels(ctx, found, late)).rejects.toMatchObject({
    kind: 'conflict',
    current: { labels: 'theirs' },
  })
})

it("a pause of some minutes ends by the server's clock", async () => {
  const { ctx, found } = await makeOwnRunner()
  const clock = { ...ctx.clock, now: () => new Date('2040-01-01T00:00:00Z') }
  const paused = await pauseRunner({ ...ctx, clock }, found, { note: 'New disk', resume_in_minutes: 15 })
  expect(paused).toMatchObject({ disabled_note: 'New disk', resume_at: new Date('2040-01-01T00:15:00Z') })
  expect(await pauseRunner({ ...ctx, clock }, found, { note: '' })).toMatchObject({ resume_at: null })
})
