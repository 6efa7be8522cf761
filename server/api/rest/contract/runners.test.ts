import { giteaApi } from 'gitea-js'
import { afterEach, describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { planned } from '@/testing/actions'
import { startQueuedRun } from '@/testing/assigned'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'

const site = useSite()
afterEach(() => site.now.set(undefined))

const own = '/user/actions/runners'
const set = (id: number, columns: object) =>
  site.db.updateTable('runners').set(columns).where('id', '=', id).execute()
const ids = (answer: { body: { runners: { id: number }[] } }) => answer.body.runners.map(({ id }) => id)
const patch = (ada: Person, id: number, body: unknown) =>
  call(site, 'PATCH', `${own}/${id}`, { as: ada, body })

/** Creates a user with one runner each for their account, organization, repository, and the site. */
async function makeScopes() {
  const ada = await makePerson(site, { is_admin: true })
  const org = await makeOrg(site.db, ada.account.id)
  const { name: repo } = await makeRepository(site.db, ada.account.id)
  const scopes = [
    [own, { kind: 'own' }],
    [`/orgs/${org.name}/actions/runners`, { kind: 'organization', org: org.name }],
    [`/repos/${ada.name}/${repo}/actions/runners`, { kind: 'repository', owner: ada.name, repo }],
    ['/admin/actions/runners', { kind: 'site' }],
  ] as const
  const made: { at: string; id: number }[] = []
  for (const [at, scope] of scopes) made.push({ at, id: (await makeRunner(site, ada, { scope })).runner.id })
  return { ada, scopes: made }
}

describe('the runner registration token', () => {
  it('is the same from POST and GET until it is reset, and differs for each owner', async () => {
    const { ada, scopes } = await makeScopes()
    const tokens = new Set<string>()
    for (const { at } of scopes) {
      const first = await call(site, 'POST', `${at}/registration-token`, { as: ada })
      expect([first.status, first.body]).toEqual([200, { token: expect.stringMatching(/^[A-Za-z0-9]{40}$/) }])
      expect((await call(site, 'GET', `${at}/registration-token`, { as: ada })).body).toEqual(first.body)
      const reset = await call(site, 'POST', `${at}/registration-token/reset`, { as: ada })
      expect(reset.body.token).not.toBe(first.body.token)
      expect((await call(site, 'POST', `${at}/registration-token`, { as: ada })).body).toEqual(reset.body)
      tokens.add(first.body.token).add(reset.body.token)
    }
    expect(tokens.size).toBe(2 * scopes.length)
  })

  it('can be read by unmodified gitea-js', async () => {
    const { ada, scopes } = await makeScopes()
    const { user, orgs, repos, admin } = giteaApi(site.url, { token: ada.token })
    const [, org] = scopes[1]?.at.split('/').slice(1) ?? []
    const [, owner, repo] = scopes[2]?.at.split('/').slice(1) ?? []
    for (const [index, asked] of [
      user.userGetRunnerRegistrationToken(),
      orgs.orgGetRunnerRegistrationToken(org ?? ''),
      repos.repoGetRunnerRegistrationToken(owner ?? '', repo ?? ''),
      admin.adminGetRunnerRegistrationToken(),
    ].entries()) {
      const { body } = await call(site, 'POST', `${scopes[index]?.at}/registration-token`, { as: ada })
      expect((await asked).data).toEqual(body)
    }
  })
})

describe('the runners of a user, organization, repository, or the site', () => {
  it('have the fields that Gitea clients know, and more', async () => {
    const ada = await makePerson(site)
    const { runner } = await makeRunner(site, ada, { labels: ['linux', 'x64'] })
    const shown = {
      id: runner.id,
      name: 'builder',
      status: 'offline',
      busy: false,
      disabled: false,
      ephemeral: false,
      labels: [
        { id: 0, name: 'linux', type: 'custom' },
        { id: 1, name: 'x64', type: 'custom' },
      ],
      version: 'v1.0.0',
      last_online: '0001-01-01T00:00:00Z',
      note: '',
      resume_at: null,
      labels_edited: false,
    }
    const list = await call(site, 'GET', own, { as: ada })
    expect([list.status, list.body]).toEqual([200, { runners: [shown], total_count: 1 }])
    expect([list.headers.get('link'), list.headers.get('x-total-count')]).toEqual([null, null])
    const one = () => call(site, 'GET', `${own}/${runner.id}`, { as: ada })
    expect((await one()).body).toEqual(shown)
    await set(runner.id, { last_online_at: new Date(), last_active_at: new Date() })
    expect((await one()).body).toMatchObject({ status: 'online', busy: true })
  })

  it('are accessible only there, and all runners at the site level', async () => {
    const { ada, scopes } = await makeScopes()
    for (const { at, id } of scopes.slice(0, 3)) {
      expect(ids(await call(site, 'GET', at, { as: ada })), at).toEqual([id])
      for (const other of scopes) {
        if (other.id === id) continue
        for (const [method, body] of [['GET'], ['PATCH', { disabled: true }], ['DELETE']] as const) {
          const { status } = await call(site, method, `${at}/${other.id}`, { as: ada, ...(body && { body }) })
          expect(status, `${method} ${at}`).toBe(404)
        }
      }
    }
    for (const { id } of scopes) {
      expect((await call(site, 'GET', `/admin/actions/runners/${id}`, { as: ada })).status).toBe(200)
    }
    const all = await call(site, 'GET', '/admin/actions/runners?limit=50', { as: ada })
    expect(ids(all)).toEqual(expect.arrayContaining(scopes.map(({ id }) => id)))
  })

  it('are sorted by last contact and then ID, paginated, and filtered by `disabled`', async () => {
    const ada = await makePerson(site)
    const made: number[] = []
    for (let count = 0; count < 4; count++) made.push((await makeRunner(site, ada)).runner.id)
    const [never, early, late, paused] = made as [number, number, number, number]
    const at = (seconds: number) => new Date(Date.now() - seconds * 1000)
    await set(early, { last_online_at: at(100) })
    await set(late, { last_online_at: at(10) })
    await set(paused, { disabled_at: at(10) })
    const list = (query: string) => call(site, 'GET', `${own}?${query}`, { as: ada })
    expect(ids(await list(''))).toEqual([late, early, never, paused])
    const second = await list('page=2&limit=3')
    expect([ids(second), second.body.total_count]).toEqual([[paused], 4])
    const past = await list('page=9&limit=3&disabled=false')
    expect([ids(past), past.body.total_count]).toEqual([[], 3])
    expect(ids(await list('disabled=true'))).toEqual([paused])
    expect(ids(await list('disabled='))).toHaveLength(4)
    expect((await list('disabled=perhaps')).status).toBe(400)
  })

  it('return 404 for invalid and unknown IDs', async () => {
    const ada = await makePerson(site)
    for (const id of ['x', '-1', '0', '1.5', '99999999']) {
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
        const { status } = await call(site, method, `${own}/${id}`, { as: ada, ...(body && { body }) })
        expect(status, `${method} ${id}`).toBe(404)
      }
    }
  })
})

describe('PATCH …/actions/runners/{runner_id}', () => {
  it('returns 200 and disables or enables the runner, also repeatedly', async () => {
    const ada = await makePerson(site)
    const { id } = (await makeRunner(site, ada)).runner
    for (const disabled of [true, true, false, false]) {
      const answer = await patch(ada, id, { disabled })
      expect([answer.status, answer.body.disabled]).toEqual([200, disabled])
    }
    const events = await site.db
      .selectFrom('events')
      .select('kind')
      .where('kind', 'in', ['runner.disabled', 'runner.enabled'])
      .where('owner_id', '=', ada.account.id)
      .orderBy('id')
      .execute()
    expect(events.map(({ kind }) => kind)).toEqual(['runner.disabled', 'runner.enabled'])
  })

  it.each([[{}], [{ disabled: null }], [{ note: 'x' }]])(
    'returns 422 for %j, which lacks `disabled`',
    async body => {
      const ada = await makePerson(site)
      const { id } = (await makeRunner(site, ada)).runner
      const { status, body: answer } = await patch(ada, id, body)
      expect([status, answer.message]).toEqual([422, '[Disabled]: Required'])
      expect((await patch(ada, 99_999_999, body)).status).toBe(404)
    },
  )

  it.each([
    [{ disabled: 'yes' }],
    [{ disabled: true, note: 'x'.repeat(501) }],
    [{ disabled: true, resume_at: 'tomorrow' }],
    [{ disabled: true, resume_at: '2001-01-01T00:00:00Z' }],
    [{ disabled: false, labels: ['x'.repeat(256)] }],
    [{ disabled: false, labels: [' '] }],
    [{ disabled: false, labels: ['gpu:host'] }],
    [{ disabled: false, labels: ['gpu:docker://node:22'] }],
  ])('returns 422 for %j and changes nothing', async body => {
    const ada = await makePerson(site)
    const { id } = (await makeRunner(site, ada)).runner
    expect((await patch(ada, id, body)).status).toBe(422)
    expect((await call(site, 'GET', `${own}/${id}`, { as: ada })).body).toMatchObject({
      disabled: false,
      labels_edited: false,
    })
  })

  it('pauses the runner with a note until a time at which it is enabled automatically', async () => {
    const ada = await makePerson(site)
    const { id } = (await makeRunner(site, ada)).runner
    const resume_at = '2126-01-01T00:00:00Z'
    const paused = await patch(ada, id, { disabled: true, note: 'new disk', resume_at })
    expect(paused.body).toMatchObject({ disabled: true, note: 'new disk', resume_at })
    const later = await patch(ada, id, { disabled: true, resume_at: '' })
    expect(later.body).toMatchObject({ disabled: true, note: 'new disk', resume_at: null })
    await patch(ada, id, { disabled: true, resume_at })
    site.now.set(new Date(resume_at))
    expect((await call(site, 'GET', `${own}/${id}`, { as: ada })).body).toMatchObject({
      disabled: false,
      note: '',
      resume_at: null,
    })
  })

  it('sets labels that the runner cannot overwrite until labels_edited is reset', async () => {
    const ada = await makePerson(site)
    const { id } = (await makeRunner(site, ada)).runner
    const edited = await patch(ada, id, { disabled: false, labels: ['gpu', 'gpu ', 'linux'] })
    expect(edited.body).toMatchObject({
      labels_edited: true,
      labels: [{ name: 'gpu' }, { name: 'linux' }],
    })
    expect((await patch(ada, id, { disabled: false })).body.labels_edited).toBe(true)
    const back = await patch(ada, id, { disabled: false, labels_edited: false })
    expect(back.body).toMatchObject({ labels_edited: false, labels: [{ name: 'ubuntu-latest' }] })
  })
})

it('DELETE …/actions/runners/{runner_id} returns 204, removes the runner, and fails its running job', async () => {
  const run = await startQueuedRun(site, [planned('build')])
  const { id } = (await makeRunner(site, run.ada)).runner
  const task = { run_id: 0, job_id: 0, repository_id: run.repository.id, runner_id: id }
  const job = await site.db
    .selectFrom('workflow_jobs')
    .select(['id', 'run_id'])
    .where('repository_id', '=', run.repository.id)
    .executeTakeFirstOrThrow()
  const now = new Date()
  await site.db.updateTable('workflow_jobs').set({ status: 'in_progress' }).where('id', '=', job.id).execute()
  await site.db
    .insertInto('workflow_tasks')
    .values({
      ...task,
      job_id: job.id,
      run_id: job.run_id,
      status: 'running',
      expires_at: new Date(now.getTime() + 60_000),
      acknowledged_at: now,
    })
    .execute()
  const history = await call(site, 'GET', `${own}/${id}/jobs`, { as: run.ada })
  const { body: shown } = await call(
    site,
    'GET',
    `/repos/${run.ada.name}/${run.repository.name}/actions/jobs/${job.id}`,
    { as: run.ada },
  )
  const { url, html_url } = shown
  expect(history.body).toMatchObject({
    total_count: 1,
    jobs: [
      {
        id: job.id,
        name: 'build',
        status: 'in_progress',
        conclusion: null,
        completed_at: null,
        url,
        html_url,
      },
    ],
  })
  expect((await call(site, 'DELETE', `${own}/${id}`, { as: run.ada })).status).toBe(204)
  expect(await run.states()).toBe('failure failure')
  for (const method of ['GET', 'DELETE'])
    expect((await call(site, method, `${own}/${id}`, { as: run.ada })).status).toBe(404)
  expect((await call(site, 'GET', own, { as: run.ada })).body).toEqual({ runners: [], total_count: 0 })
})

it('GET …/actions/runners/jobs and …/demand return waiting jobs by label, as autoscalers need', async () => {
  const run = await startQueuedRun(site, [
    planned('one', { labels: ['linux'] }),
    planned('two', { labels: ['linux'] }),
    planned('three', { labels: ['linux', 'gpu'] }),
    planned('four', { labels: ['linux'], needs: ['one'] }),
  ])
  const ask = async (path: string) => (await call(site, 'GET', path, { as: run.ada })).body
  const names = async (path: string) => (await ask(path)).map(({ name }: { name: string }) => name)
  expect(await names(`${own}/jobs`)).toEqual(['one', 'two', 'three'])
  expect(await names(`${own}/jobs?labels=linux`)).toEqual(['one', 'two'])
  expect(await names(`${own}/jobs?labels=gpu,linux,x64`)).toEqual(['one', 'two', 'three'])
  expect(await names(`${own}/jobs?labels=mac`)).toEqual([])
  const { name } = run.repository
  expect((await ask(`/repos/${run.ada.name}/${name}/actions/runners/jobs`))[0]).toMatchObject({
    repo_id: run.repository.id,
    owner_id: run.ada.account.id,
    runs_on: ['linux'],
    status: 'waiting',
  })
  const time = expect.stringMatching(/^20/)
  expect(await ask(`${own}/demand`)).toEqual({
    total_count: 3,
    oldest_queued_at: time,
    demand: expect.arrayContaining([
      { labels: ['linux'], count: 2, oldest_queued_at: time },
      { labels: ['linux', 'gpu'], count: 1, oldest_queued_at: time },
    ]),
  })
  expect(await ask(`${own}/demand?labels=mac`)).toEqual({
    total_count: 0,
    oldest_queued_at: null,
    demand: [],
  })
  await site.db
    .updateTable('repositories')
    .set({ archived_at: new Date() })
    .where('id', '=', run.repository.id)
    .execute()
  expect(await names(`${own}/jobs`)).toEqual([])
})

it('runner endpoints return 403 without the scope, and registration tokens require write scope without public-only', async () => {
  const { ada, scopes } = await makeScopes()
  const wanted = ['user', 'organization', 'repository', 'admin'] as const
  for (const [index, { at, id }] of scopes.entries()) {
    const category = wanted[index] ?? 'user'
    const reading = { token: await makeToken(site, ada.account.id, [`read:${category}`]) }
    const other = { token: await makeToken(site, ada.account.id, ['write:issue']) }
    expect((await call(site, 'GET', at, { as: reading })).status, at).toBe(200)
    expect((await call(site, 'GET', at, { as: other })).status, at).toBe(403)
    expect((await call(site, 'DELETE', `${at}/${id}`, { as: reading })).status).toBe(403)
    const open = { token: await makeToken(site, ada.account.id, [`write:${category}`, 'public-only']) }
    const secrets = [`${at}/registration-token`]
    if (category === 'admin') secrets.push('/admin/runners/registration-token')
    for (const path of secrets) {
      expect((await call(site, 'GET', path, { as: reading })).status, path).toBe(403)
      expect((await call(site, 'GET', path, { as: open })).status, path).toBe(403)
    }
    for (const as of [reading, open]) {
      expect((await call(site, 'POST', `${at}/registration-token`, { as })).status).toBe(403)
    }
  }
})
