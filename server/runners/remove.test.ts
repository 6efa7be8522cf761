import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { allow } from '@/server/access/allowed'
import { hubOf, type Signal } from '@/server/events'
import { jobContext } from '@/server/services'
import { planned } from '@/testing/actions'
import { startQueuedRun } from '@/testing/assigned'
import { makePerson } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import { authenticateRunner } from './authenticate'
import { removeRunner, sweepRunnersJob } from './remove'
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

it('an expired pause is recorded as ended once, and pages and waiting runners are notified', async () => {
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
  const received: Signal[] = []
  const stop = hubOf(site.db).listen(signals => void received.push(...signals))
  expect(await resumeRunnersJob.run(ctx(), signal)).toEqual({ resumed: 1 })
  expect(await resumeRunnersJob.run(ctx(), signal)).toEqual({ resumed: 0 })
  stop()
  expect(await find(ended)).toMatchObject({ disabled_at: null, disabled_note: '', resume_at: null })
  expect(await find(lasting)).toMatchObject({ disabled_note: 'new disk' })
  expect((await kindsOf(ada.account.id)).filter(kind => kind === 'runner.enabled')).toHaveLength(1)
  expect(received).toContainEqual(expect.objectContaining({ kind: 'runner.changed', runnerId: ended }))
})

it('a runner whose deletion cannot be completed is refused immediately, and does not block the sweep of others', async () => {
  const ada = await makePerson(site)
  const [stuck, other] = [
    await makeRunner(site, ada, { ephemeral: true }),
    await makeRunner(site, ada, { ephemeral: true }),
  ]
  await sql`update runners set last_online_at = ${ago(25)} where owner_id = ${ada.account.id}`.execute(
    site.db,
  )
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(
    site.db,
  )
  await sql`create trigger refuse before delete on runners for each row
    when (old.id = ${sql.lit(stuck.runner.id)}) execute function refuse()`.execute(site.db)
  await sweepRunnersJob.run(ctx(), signal)
  await sql`drop trigger refuse on runners`.execute(site.db)
  expect(await find(other.runner.id)).toBeUndefined()
  const credentials = { uuid: stuck.runner.uuid, secret: stuck.secret }
  await expect(authenticateRunner(ctx(), credentials, 'report')).rejects.toThrow('unregistered runner')
})

it('a runner can be deleted however many jobs it has had, and they keep its name', async () => {
  const run = await startQueuedRun(site, [planned('build')])
  const { runner } = await makeRunner(site, run.ada)
  const { id, run_id, repository_id } = await run.job('build')
  await sql`
    insert into workflow_tasks (
      job_id, run_id, repository_id, status, started_at, ended_at, expires_at, runner_id, runner_name)
    select ${id}, ${run_id}, ${repository_id}, 'ended', now(), now(), now(), ${runner.id}, 'robin'
    from generate_series(1, 1500)`.execute(site.db)
  await removeRunner(ctx(), allow({ runner, scope: allow({ kind: 'owner', ownerId: run.ada.account.id }) }))
  expect(await find(runner.id)).toBeUndefined()
  const kept = site.db.selectFrom('workflow_tasks').select('runner_id').where('runner_name', '=', 'robin')
  expect((await kept.where('job_id', '=', id).execute()).map(task => task.runner_id)).toEqual(
    Array(1500).fill(null),
  )
})
