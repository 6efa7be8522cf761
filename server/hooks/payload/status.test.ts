import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { makeHook } from '@/testing/hooks'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { createTestWorkflows } from '@/testing/workflow-runs'
import { payloadsOf } from './testing/payloads'

const site = useSite()
let ada: Person
let code: CodeRepository
let sha: string

beforeAll(async () => {
  ada = await makePerson(site)
  code = await makeCode(site, ada, { 'a.txt': 'a\n' })
  sha = await code.commit({ 'b.txt': 'b\n' }, { message: 'Add b\n' })
})

const report = (body: object) => call(site, 'POST', `${code.path}/statuses/${sha}`, { as: ada, body })

describe('the webhook event status', () => {
  it('is not recorded without a webhook that subscribes to it', async () => {
    await makeHook(site, { repository_id: code.id }, { events: ['push', 'workflow_job'] })
    expect(await payloadsOf(site, () => report({ state: 'success' }))).toEqual([])
    expect(
      await site.db.selectFrom('events').select('id').where('kind', '=', 'status.created').execute(),
    ).toEqual([])
  })

  it('contains the status, its commit, and the person who reported it', async () => {
    await makeHook(site, { repository_id: code.id }, { events: ['status'] })
    const sent = await payloadsOf(site, () =>
      report({
        state: 'failure',
        context: 'ci/test',
        description: '2 failed',
        target_url: 'https://ci.example.test/1',
      }),
    )
    expect(sent).toMatchObject([
      {
        event: 'status',
        eventType: 'status',
        body: {
          id: 2,
          sha,
          context: 'ci/test',
          state: 'failure',
          description: '2 failed',
          target_url: 'https://ci.example.test/1',
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
          commit: {
            id: sha,
            message: 'Add b\n',
            added: ['b.txt'],
            url: expect.stringContaining(`/commit/${sha}`),
          },
          repository: { id: code.id, private: false },
          sender: { login: ada.name },
        },
      },
    ])
  })

  it('is sent for the jobs of runs, to the webhooks that subscribe to it', async () => {
    const workflows = await createTestWorkflows(site, ada, code)
    const workflow = 'name: CI\non: push\njobs: { build: { runs-on: x, steps: [{ run: make }] } }'
    const sent = await payloadsOf(site, async () => {
      await workflows.start(workflow, { sha, event: 'push' })
      await workflows.run('build')
    })
    const statuses = sent.flatMap(({ body }) =>
      'state' in body ? [[body.context, body.state, body.sender.login]] : [],
    )
    const of = (state: string) => ['CI / build (push)', state, ada.name]
    expect(statuses).toEqual([of('pending'), of('pending'), of('success')])
    const queued = await site.db
      .selectFrom('event_outbox')
      .innerJoin('events', 'events.id', 'event_id')
      .select('kind')
      .where('kind', '=', 'status.created')
      .where('repository_id', '=', code.id)
      .execute()
    expect(queued).toHaveLength(4)
  })
})
