import { beforeAll, describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const workflow = `
name: CI
on: push
jobs:
  build:
    runs-on: \${{ matrix.os }}
    strategy: { matrix: { os: [linux, windows] } }
    steps: [{ run: make }]
  test:
    needs: build
    runs-on: linux
    steps: [{ run: make test }]
`

let ada: Person
let at: string
let repository: { id: number; name: string }
beforeAll(async () => {
  ada = await makePerson(site)
  repository = await makeRepository(site.db, ada.account.id)
  at = `/repos/${ada.name}/${repository.name}/actions`
})
const create = (body: object = {}) =>
  call(site, 'POST', `${at}/runs`, { as: ada, body: { workflow, ...body } })
const get = (path: string) => call(site, 'GET', `${at}${path}`)

describe('a workflow run', () => {
  it('is created from a workflow in the request, and is visible to everyone who can see the repository', async () => {
    const sha = 'a'.repeat(40)
    const { status, body } = await create({ ref: 'topic', sha, title: 'By hand', path: 'ci.yml' })
    expect(status).toBe(201)
    const url = `${site.url}/api/v1${at}/runs/${body.id}`
    expect(body).toMatchObject({
      url,
      html_url: `${site.url}/${ada.name}/${repository.name}/actions/runs/${body.id}`,
      previous_attempt_url: null,
      display_title: 'By hand',
      path: 'ci.yml@refs/heads/topic',
      event: 'workflow_dispatch',
      run_attempt: 1,
      run_number: 1,
      repository_id: repository.id,
      head_sha: sha,
      head_branch: 'topic',
      status: 'queued',
      actor: { login: ada.name },
      trigger_actor: { login: ada.name },
      repository: { full_name: `${ada.name}/${repository.name}` },
      pull_requests: null,
      started_at: '0001-01-01T00:00:00Z',
      completed_at: '0001-01-01T00:00:00Z',
    })
    expect(body).not.toHaveProperty('conclusion')
    const shown = await get(`/runs/${body.id}`)
    expect(shown.body).toMatchObject({ id: body.id, actor: { email: expect.stringContaining('noreply') } })
    expect((await get(`/runs/${body.id}/attempts/1`)).body).toEqual(shown.body)
    expect((await get(`/runs/${body.id}/attempts/2`)).status).toBe(404)
  })

  it('is named after the workflow and uses the default branch if the request names neither', async () => {
    const { body } = await create()
    expect(body).toMatchObject({
      display_title: 'CI',
      path: 'workflow.yml@refs/heads/main',
      head_branch: 'main',
    })
  })

  it('lists its jobs in workflow order, and each job by its ID', async () => {
    const { body: run } = await create()
    const { body } = await get(`/runs/${run.id}/jobs`)
    expect(body.total_count).toBe(3)
    expect(body.jobs).toMatchObject([
      { name: 'build (linux)', labels: ['linux'], needs: [], status: 'queued', run_attempt: 1 },
      { name: 'build (windows)', labels: ['windows'], needs: [], status: 'queued' },
      { name: 'test', labels: ['linux'], needs: ['build'], status: 'waiting', steps: [] },
    ])
    expect((await get(`/jobs/${body.jobs[2].id}`)).body).toEqual(body.jobs[2])
    expect((await get(`/runs/${run.id}/attempts/1/jobs?limit=1&page=3`)).body).toEqual({
      jobs: [body.jobs[2]],
      total_count: 3,
    })
  })

  it.each([
    [
      'the workflow is invalid',
      { workflow: 'on: push\njobs:\n  a:\n    runs-on: x\n    stepz: []' },
      /line 5, column 5: .*did you mean 'steps'/,
    ],
    ['the workflow is missing', { workflow: undefined }, /./],
    ['the commit is not a full ID', { sha: 'abc' }, /full commit ID/],
    ['the event name is invalid', { event: 'Push!' }, /must be an event name/],
  ])('is rejected with 422 when %s', async (_, body, message) => {
    const answer = await create(body)
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(message)])
  })

  it('cannot be created in an archived repository', async () => {
    const archived = await makeRepository(site.db, ada.account.id, { archived_at: new Date() })
    const path = `/repos/${ada.name}/${archived.name}/actions/runs`
    expect((await call(site, 'POST', path, { as: ada, body: { workflow } })).status).toBe(403)
  })

  it('is not found through another repository', async () => {
    const { body: run } = await create()
    const other = await makeRepository(site.db, ada.account.id)
    const there = `/repos/${ada.name}/${other.name}/actions`
    expect((await call(site, 'GET', `${there}/runs/${run.id}`)).status).toBe(404)
    expect((await call(site, 'GET', `${there}/runs/${run.id}/jobs`)).status).toBe(404)
  })
})

it('attempt numbers beyond the database range and artifact names with NUL are not found', async () => {
  const { body: run } = await create()
  for (const path of ['attempts/99999999999', 'attempts/99999999999/jobs'])
    expect((await get(`/runs/${run.id}/${path}`)).status, path).toBe(404)
  const names = { owner: ada.name, repo: run.repository.name, run: run.id }
  const asked = [
    ['actions.runs.show', { ...names, attempt: 99_999_999_999 }, 404],
    ['artifacts.contents.browse', { ...names, attempt: 99_999_999_999 }, 200],
    ['artifacts.contents.show', { ...names, artifact: 'a\0b' }, 404],
  ] as const
  for (const [procedure, input, status] of asked) {
    const query = new URLSearchParams({ input: JSON.stringify(input) })
    const headers = { authorization: `token ${ada.token}` }
    expect((await fetch(`${site.url}/api/trpc/${procedure}?${query}`, { headers })).status, procedure).toBe(
      status,
    )
  }
})

describe('the list of runs', () => {
  it('is sorted newest first and paginated, with the total in the body and no Link header', async () => {
    const { body: newest } = await create()
    const all = await get('/runs')
    expect(all.body.workflow_runs[0].id).toBe(newest.id)
    expect(all.body.total_count).toBe(all.body.workflow_runs.length)
    expect(all.headers.get('link')).toBeNull()
    const second = await get('/runs?limit=1&page=2')
    expect((await get('/runs?per_page=1&page=2')).body).toEqual(second.body)
    expect(second.body.workflow_runs.map((run: { id: number }) => run.id)).toEqual([
      all.body.workflow_runs[1].id,
    ])
    expect(second.body.total_count).toBe(all.body.total_count)
  })

  it('can be filtered by event, branch, status, actor, and commit', async () => {
    const sha = 'b'.repeat(64)
    const { body: run } = await create({ event: 'schedule', ref: 'refs/tags/v1', sha })
    const only = { total_count: 1, workflow_runs: [{ id: run.id }] }
    for (const query of ['event=schedule', 'branch=v1', 'branch=refs/tags/v1', `head_sha=${sha}`]) {
      expect((await get(`/runs?${query}`)).body, query).toMatchObject(only)
    }
    const mine = `event=schedule&actor=${ada.name.toUpperCase()}`
    expect((await get(`/runs?${mine}&status=pending`)).body).toMatchObject(only)
    expect((await get(`/runs?${mine}&status=queued`)).body).toMatchObject(only)
    const none = { total_count: 0, workflow_runs: [] }
    for (const query of ['status=success', 'status=completed', 'actor=nobody-at-all', 'event=push']) {
      expect((await get(`/runs?${query}`)).body, query).toEqual(none)
    }
  })

  it('rejects an unknown status and names the known ones', async () => {
    const { status, body } = await get('/runs?status=odd')
    expect([status, body.message]).toEqual([422, expect.stringContaining('in_progress')])
  })
})
