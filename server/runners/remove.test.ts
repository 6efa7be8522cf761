import { expect, it } from 'vitest'
import { hubOf, type Signal } from '@/server/events'
import { jobContext } from '@/server/services'
import { makePerson } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import { sweepRunnersJob } from './remove'
import { resumeRunnersJob } from './resume'

const site = useSite()
const { signal } = new AbortController()
const ctx = () => jobContext(site.services, 'test')
const ago = (hours: number) => new Date(Date.now() - hours * 60 * 60 * 1000)
const find = (id: number) => site.db.selectFrom('runners').selectAll().where('id', '=', id).executeTakeFirst()
const kindsOf = async (ownerId: number) => {
  const events = site.db.selectFrom('events').select('kind').where('owner_id', '=', ownerId).orderBy('id')
  return (await events.execute()).map(({ kind }) => kind)
}

it.each([
  ['did its job more than an hour ago', { is_ephemeral: true, retired_at: ago(1.1) }, true],
  ['did its job just now', { is_ephemeral: true, retired_at: ago(0.9) }, false],
  ['was not heard of for a day', { is_ephemeral: true, last_online_at: ago(25) }, true],
  ['never called since it was registered', { is_ephemeral: true, created_at: ago(25) }, true],
  ['called within a day', { is_ephemeral: true, created_at: ago(90), last_online_at: ago(23) }, false],
  ['is not ephemeral', { created_at: ago(9000), last_online_at: ago(8000) }, false],
])('a runner that %s is swept: %j', async (_, columns, swept) => {
  const { id } = (await makeRunner(site, await makePerson(site))).runner
  await site.db.updateTable('runners').set(columns).where('id', '=', id).execute()
  await sweepRunnersJob.run(ctx(), signal)
  expect((await find(id)) === undefined).toBe(swept)
})

it('a pause that has ended is taken back on record, once, and pages and waiting runners are told', async () => {
  const ada = await makePerson(site)
  const runners = [await makeRunner(site, ada), await makeRunner(site, ada)].map(({ runner }) => runner.id)
  const [ended, lasting] = runners as [number, number]
  const pause = { disabled_at: ago(2), disabled_note: 'new disk' }
  await site.db
    .updateTable('runners')
    .set({ ...pause, resume_at: ago(1) })
    .where('id', '=', ended)
    .execute()
  await site.db
    .updateTable('runners')
    .set({ ...pause, resume_at: ago(-1) })
    .where('id', '=', lasting)
    .execute()
  const told: Signal[] = []
  const stop = hubOf(site.db).listen(signals => void told.push(...signals))
  expect(await resumeRunnersJob.run(ctx(), signal)).toEqual({ resumed: 1 })
  expect(await resumeRunnersJob.run(ctx(), signal)).toEqual({ resumed: 0 })
  stop()
  expect(await find(ended)).toMatchObject({ disabled_at: null, disabled_note: '', resume_at: null })
  expect(await find(lasting)).toMatchObject({ disabled_note: 'new disk' })
  expect((await kindsOf(ada.account.id)).filter(kind => kind === 'runner.enabled')).toHaveLength(1)
  expect(told).toContainEqual(expect.objectContaining({ kind: 'runner.changed', runnerId: ended }))
})
