import { expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { planned } from '@/testing/actions'
import { startQueuedRun } from '@/testing/assigned'
import { type CallOptions, call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'

const site = useSite()
const set = (id: number, columns: object) =>
  site.db.updateTable('runners').set(columns).where('id', '=', id).execute()

it('GET …/jobs/{job_id}/waiting explains to all readers why a job waits, and names runners only to people who manage them', async () => {
  const run = await startQueuedRun(site, [
    planned('build', { labels: [`only-${process.hrtime.bigint()}`] }),
    planned('test', { needs: ['build'] }),
  ])
  const { ada, repository } = run
  const build = await run.job('build')
  const ask = async (id: number, as?: CallOptions['as']) => {
    const path = `/repos/${ada.name}/${repository.name}/actions/jobs/${id}/waiting`
    return (await call(site, 'GET', path, as ? { as } : {})).body
  }
  expect(await ask((await run.job('test')).id)).toMatchObject({
    reason: 'needs',
    summary: 'The job is waiting for other jobs in the run: build.',
    queued_at: null,
  })

  const { runner } = await makeRunner(site, ada, { name: 'secret-box', labels: build.labels })
  await set(runner.id, { last_online_at: new Date(), disabled_at: new Date(), disabled_note: 'new disk' })
  const reported = {
    job_id: build.id,
    reason: 'paused',
    summary: "The only runner with the job's labels is paused.",
  }
  const queued_at = expect.stringMatching(/^20/)
  const toOthers = { ...reported, queued_at, missing_labels: [], runners: [] }
  expect(await ask(build.id)).toEqual(toOthers)
  expect(await ask(build.id, await makePerson(site))).toEqual(toOthers)
  expect(await ask(build.id, ada)).toMatchObject({
    ...reported,
    runners: [
      {
        id: runner.id,
        name: 'secret-box',
        scope: 'owner',
        note: 'new disk',
        html_url: `${site.url}/user/settings/actions/runners/${runner.id}`,
        requirements: [
          { kind: 'label', label: build.labels[0], met: true },
          { kind: 'enabled', met: false },
          { kind: 'online', met: true },
          { kind: 'free', met: true },
        ],
      },
    ],
  })
  await set(runner.id, { disabled_at: null, disabled_note: '' })
  expect(await ask(build.id)).toMatchObject({ reason: 'soon' })
  const archive = { archived_at: new Date() }
  await site.db.updateTable('repositories').set(archive).where('id', '=', repository.id).execute()
  expect(await ask(build.id)).toMatchObject({ reason: 'archived' })
})

it('GET …/jobs/{job_id}/waiting ignores runners of other owners and repositories', async () => {
  const run = await startQueuedRun(site, [planned('build', { labels: [`only-${process.hrtime.bigint()}`] })])
  const { labels, id } = await run.job('build')
  const org = await makeOrg(site.db, run.ada.account.id)
  const { name: repo } = await makeRepository(site.db, run.ada.account.id)
  await makeRunner(site, run.ada, { labels, scope: { kind: 'organization', org: org.name } })
  await makeRunner(site, run.ada, { labels, scope: { kind: 'repository', owner: run.ada.name, repo } })
  await makeRunner(site, await makePerson(site), { labels })
  const path = `/repos/${run.ada.name}/${run.repository.name}/actions/jobs/${id}/waiting`
  const { body } = await call(site, 'GET', path, { as: run.ada })
  expect(body).toMatchObject({ reason: expect.stringMatching(/^(no_runner|labels)$/), runners: [] })
})

it('GET …/jobs/{job_id}/waiting also shows the site’s runners to a site administrator', async () => {
  const run = await startQueuedRun(site, [planned('build', { labels: [`only-${process.hrtime.bigint()}`] })])
  const admin = await makePerson(site, { is_admin: true })
  const { labels, id } = await run.job('build')
  const { runner } = await makeRunner(site, admin, { labels, scope: { kind: 'site' } })
  const path = `/repos/${run.ada.name}/${run.repository.name}/actions/jobs/${id}/waiting`
  const seenBy = async (as: CallOptions['as']) =>
    (await call(site, 'GET', path, as ? { as } : {})).body.runners.map((each: { id: number }) => each.id)
  expect(await seenBy(run.ada)).toEqual([])
  expect(await seenBy(admin)).toEqual([runner.id])
})
