import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { createTestRun, endTestJob } from '@/testing/actions'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { payloadsOf } from './testing/payloads'

const site = useSite()
const workflow = 'on: push\njobs: { build: { runs-on: x, steps: [{ run: make }] } }'

describe('the payloads of a workflow run', () => {
  it('report each status change of the run and its jobs with the status at that time', async () => {
    let made: Awaited<ReturnType<typeof createTestRun>> | undefined
    const sent = await payloadsOf(site, async () => {
      made = await createTestRun(site, { jobs: ['build'] })
      await endTestJob(site, made, made.jobs[0], 'failure')
    })
    const shown = sent.map(({ event, body }) => {
      if ('workflow_job' in body) {
        const { id, status, conclusion } = body.workflow_job
        return [event, body.action, id === made?.jobs[0].job.id, status, conclusion]
      }
      if (!('workflow_run' in body)) return [event]
      const { id, status, conclusion } = body.workflow_run
      return [event, body.action, id === made?.run.id, status, conclusion]
    })
    expect(shown).toEqual([
      ['workflow_run', 'requested', true, 'queued', undefined],
      ['workflow_job', 'queued', true, 'queued', undefined],
      ['workflow_job', 'in_progress', true, 'in_progress', undefined],
      ['workflow_run', 'in_progress', true, 'in_progress', undefined],
      ['workflow_job', 'completed', true, 'completed', 'failure'],
      ['workflow_run', 'completed', true, 'completed', 'failure'],
    ])
    expect(sent[0]?.body).toMatchObject({
      workflow: { id: 'test.yml', path: 'test.yml', name: 'Test', state: 'active' },
      repository: { id: made?.repository.id },
      sender: { login: made?.ada.name },
    })
    expect(sent[0]?.body).not.toHaveProperty('organization')
  })

  it('name the organization that owns the repository', async () => {
    const ada = await makePerson(site)
    const org = await makeOrg(site.db, ada.account.id)
    const repository = await makeRepository(site.db, org.id)
    const path = `/repos/${org.name}/${repository.name}/actions/runs`
    const sent = await payloadsOf(site, () => call(site, 'POST', path, { as: ada, body: { workflow } }))
    expect(sent[0]?.body).toMatchObject({ organization: { name: org.name } })
  })
})

describe('a webhook', () => {
  it('receives job events only if it subscribes to them, and other job events are not queued', async () => {
    const { ada, path } = await createTestRun(site)
    const config = { url: 'http://127.0.0.1:9', content_type: 'json' }
    const hook = { type: 'gitea', active: true, config }
    await call(site, 'POST', `${path}/hooks`, { as: ada, body: { ...hook, events: ['workflow_run'] } })
    const waiting = async () => {
      const rows = await site.db
        .selectFrom('event_outbox')
        .innerJoin('events', 'events.id', 'event_outbox.event_id')
        .select('events.kind')
        .where('event_outbox.consumer', '=', 'webhooks')
        .orderBy('events.id')
        .execute()
      return rows.map(({ kind }) => kind).filter(kind => /^(run|job)/.test(kind))
    }
    await call(site, 'POST', `${path}/actions/runs`, { as: ada, body: { workflow } })
    expect(await waiting()).toEqual(['run.created'])
    await call(site, 'POST', `${path}/hooks`, { as: ada, body: { ...hook, events: ['workflow_job'] } })
    await call(site, 'POST', `${path}/actions/runs`, { as: ada, body: { workflow } })
    expect(await waiting()).toEqual(['run.created', 'run.created', 'job.queued'])
  })
})
