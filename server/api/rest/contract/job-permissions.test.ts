import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, attach, makeOrg, makeTeam } from '@/db/testing/factories'
import { issueJobToken } from '@/server/auth/credentials/job-token'
import { rawRpc } from '@/testing/artifact-rpc'
import { call } from '@/testing/call'
import {
  makeCommittedRepository,
  makeGitRepository,
  recordedEvents,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makeJobToken } from '@/testing/job-tokens'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { commitFiles, pushAndStart, startWaiting, workflowOn } from '@/testing/workflows'

const site = useSite()
const work = useWorkDirectory()

type Options = NonNullable<Parameters<typeof makeJobToken>[2]>

async function prepare(options: Options = {}, isPrivate = true) {
  const ada = await makePerson(site)
  const repository = await makeCommittedRepository(site, ada.account, { is_private: isPrivate })
  const job = await makeJobToken(site, repository, { actor: ada.account, ...options })
  const at = `/repos${repository.path}`
  const byJob = (method: string, path: string, body?: object) =>
    call(site, method, `${at}${path}`, { as: job, ...(body && { body }) })
  const byAda = (method: string, path: string, body?: object) =>
    call(site, method, `${at}${path}`, { as: ada, ...(body && { body }) })
  return { ada, repository, job, at, byJob, byAda }
}

const contents = { permissions: { contents: 'write' } } as const
const release = { tag_name: 'v1', name: 'First' }

describe('a job with contents: write', () => {
  it('creates a tag and a release (201), uploads, renames and deletes its file, and edits and deletes the release', async () => {
    const { ada, repository, job, at, byJob } = await prepare(contents)
    const made = await byJob('POST', '/releases', { ...release, tag_message: 'Annotated' })
    expect(made).toMatchObject({ status: 201, body: { tag_name: 'v1', author: { login: ada.name } } })
    const one = `/releases/${made.body.id}`
    const form = new FormData()
    form.set('attachment', new Blob(['content']), 'notes.txt')
    const file = await call(site, 'POST', `${at}${one}/assets`, { as: job, raw: form })
    expect(file).toMatchObject({ status: 201, body: { name: 'notes.txt', size: 7 } })
    const ofFile = `${one}/assets/${file.body.id}`
    expect(await byJob('PATCH', ofFile, { name: 'read.txt' })).toMatchObject({ status: 201 })
    expect((await byJob('DELETE', ofFile)).status).toBe(204)
    expect(await byJob('PATCH', one, { body: 'Notes' })).toMatchObject({
      status: 200,
      body: { body: 'Notes' },
    })
    expect((await byJob('DELETE', '/releases/tags/v1')).status).toBe(204)
    expect((await byJob('DELETE', '/tags/v1')).status).toBe(204)
    const events = await recordedEvents(site, repository)
    expect(events.map(({ kind }) => kind)).toContain('release.deleted')
    for (const { actor, facts } of events) {
      expect([actor, facts.byJob]).toEqual([ada.account.id, expect.objectContaining({ jobId: job.job_id })])
    }
  })

  it('changes files, but no workflows, neither by a move nor on a new branch', async () => {
    const { byJob, byAda } = await prepare(contents)
    const content = Buffer.from('on: push').toString('base64')
    const ci = '.gitea/workflows/ci.yml'
    expect((await byAda('POST', `/contents/${ci}`, { content })).status).toBe(201)
    const sha = (await byAda('GET', `/contents/${ci}`)).body.sha
    expect((await byJob('POST', '/contents/a.yml', { content })).status).toBe(201)
    const before = (await byAda('GET', '/branches')).body
    const move = (path: string, from_path: string) => ({ files: [{ operation: 'rename', path, from_path }] })
    const changes: [method: string, path: string, body: object][] = [
      ['POST', '/contents/.github/workflows/b.yml', { content }],
      ['POST', '/contents/.github/workflows', { content }],
      ['POST', '/contents/.gitea/workflows/b/c.yml', { content, new_branch: 'other' }],
      ['PUT', `/contents/${ci}`, { content: '', sha }],
      ['DELETE', `/contents/${ci}`, { sha }],
      ['POST', '/contents', move('.github/workflows/a.yml', 'a.yml')],
      ['POST', '/contents', { ...move('b.yml', ci), new_branch: 'other' }],
    ]
    for (const [method, path, body] of changes) {
      expect([path, (await byJob(method, path, body)).status]).toEqual([path, 403])
    }
    expect((await byAda('GET', '/branches')).body).toEqual(before)
  })

  it('sees drafts, and publishes one', async () => {
    const { byJob } = await prepare(contents)
    const { body } = await byJob('POST', '/releases', { ...release, draft: true })
    expect((await byJob('GET', '/releases')).body).toHaveLength(1)
    expect(await byJob('PATCH', `/releases/${body.id}`, { draft: false })).toMatchObject({
      status: 200,
      body: { draft: false },
    })
  })

  it('starts no workflow with a release', async () => {
    const ada = await makePerson(site)
    const repository = await makeGitRepository(site, ada.account)
    const local = work.path()
    await startLocal(local)
    await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('[release, create]') })
    await pushAndStart(site, local, repository, ada)
    const job = await makeJobToken(site, repository, { actor: ada.account, ...contents })
    const count = async () =>
      (await call(site, 'GET', `/repos${repository.path}/actions/runs`, { as: ada })).body.total_count
    const before = await count()
    expect(
      (await call(site, 'POST', `/repos${repository.path}/releases`, { as: job, body: release })).status,
    ).toBe(201)
    await startWaiting(site)
    expect(await count()).toBe(before)
    const input = encodeURIComponent(JSON.stringify({ owner: ada.name, repo: repository.name, tag: 'v1' }))
    const page = await (await fetch(`${site.url}/api/trpc/releases.manage.show?input=${input}`)).json()
    expect(page.result.data.release.by_run).toEqual({ number: expect.any(Number), workflow: 'CI' })
  })

  it('is refused in an archived repository (403), and cannot change another one of the same owner', async () => {
    const { ada, repository, job, byJob } = await prepare(contents)
    const other = await makeCommittedRepository(site, ada.account)
    const elsewhere = await call(site, 'POST', `/repos${other.path}/releases`, { as: job, body: release })
    expect(elsewhere).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('other repositories') },
    })
    await site.db
      .updateTable('repositories')
      .set({ archived_at: new Date() })
      .where('id', '=', repository.id)
      .execute()
    expect(await byJob('POST', '/releases', release)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('archived') },
    })
  })
})

describe('a job without the permission', () => {
  it.each([
    ['/releases', 'POST', release, {}, 'contents: write'],
    ['/releases', 'GET', undefined, { permissions: {} }, 'contents: read'],
    ['/actions/runs', 'GET', undefined, contents, 'actions: read'],
    ['/actions/workflows/ci.yml/enable', 'PUT', undefined, contents, 'actions: write'],
  ] as const)(
    'is refused at %s for %s (403), and the message names the permission',
    async (path, method, body, options, named) => {
      const { byJob } = await prepare(options)
      expect(await byJob(method, path, body)).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining(`needs ${named}.`) },
      })
    },
  )

  it('uploads an artifact, and reads a public repository as everyone does', async () => {
    const { job, byJob } = await prepare({ permissions: {} }, false)
    const fields = {
      workflow_run_backend_id: String(job.run_id),
      workflow_job_run_backend_id: String(job.job_id),
      name: 'report',
      version: 4,
    }
    const path = '/twirp/github.actions.results.api.v1.ArtifactService/CreateArtifact'
    const answer = await rawRpc(site, path, {
      body: JSON.stringify(fields),
      headers: { authorization: `Bearer ${job.token}` },
    })
    expect([answer.status, answer.body.ok]).toEqual([200, true])
    expect((await byJob('GET', '/releases')).status).toBe(200)
    expect((await byJob('POST', '/releases', release)).status).toBe(403)
  })
})

describe('a job with actions: write', () => {
  it('starts a workflow, whose run it causes for the same person, and can cancel it', async () => {
    const ada = await makePerson(site)
    const repository = await makeGitRepository(site, ada.account)
    const local = work.path()
    await startLocal(local)
    await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('workflow_dispatch') })
    await pushAndStart(site, local, repository, ada)
    const job = await makeJobToken(site, repository, {
      actor: ada.account,
      permissions: { actions: 'write' },
    })
    const at = `/repos${repository.path}/actions`
    const body = { ref: 'main' }
    const started = await call(site, 'POST', `${at}/workflows/ci.yml/dispatches?return_run_details=true`, {
      as: job,
      body,
    })
    expect(started.status).toBe(200)
    const path = `${at}/runs/${started.body.workflow_run_id}`
    expect((await call(site, 'GET', path, { as: job })).body).toMatchObject({
      event: 'workflow_dispatch',
      actor: { login: ada.name },
    })
    expect((await call(site, 'POST', `${path}/cancel`, { as: job })).status).toBe(204)
    expect((await call(site, 'POST', `${path}/rerun`, { as: job })).status).toBe(201)
  })
})

it('the permissions of a workflow are stored with its jobs, which show them, and a rerun keeps them', async () => {
  const ada = await makePerson(site)
  const repository = await makeGitRepository(site, ada.account)
  const local = work.path()
  await startLocal(local)
  const document = `${workflowOn('push')}    permissions: { contents: write }\n`
  await commitFiles(local, { '.gitea/workflows/ci.yml': document })
  await pushAndStart(site, local, repository, ada)
  const at = `/repos${repository.path}/actions`
  const jobs = async () => (await call(site, 'GET', `${at}/jobs`, { as: ada })).body.jobs
  const [job] = await jobs()
  expect(job.permissions).toEqual({ contents: 'write' })
  expect((await call(site, 'POST', `${at}/runs/${job.run_id}/cancel`, { as: ada })).status).toBe(204)
  expect((await call(site, 'POST', `${at}/runs/${job.run_id}/rerun`, { as: ada })).status).toBe(201)
  expect(await jobs()).toMatchObject([
    { run_attempt: 2, permissions: { contents: 'write' } },
    { run_attempt: 1 },
  ])
})

describe('the token of a job', () => {
  async function inTeam(units: Parameters<typeof makeTeam>[3]) {
    const [owner, member] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    await addToOrg(site.db, org.id, member.account.id)
    const team = await makeTeam(site.db, org.id, { mode: 'read' }, units)
    await addToTeam(site.db, team, member.account.id)
    const repository = await makeCommittedRepository(site, org, { is_private: true })
    await attach(site.db, team, repository.id)
    return { owner, member, org, team, repository }
  }
  const statusOf = async (
    token: { token: string },
    repository: { path: string },
    method: 'GET' | 'POST' = 'POST',
  ) =>
    (
      await call(site, method, `/repos${repository.path}/releases`, {
        as: token,
        ...(method === 'POST' && { body: release }),
      })
    ).status

  it('can do no more than the person who caused the run, and nothing once they lost access', async () => {
    const { member, team, repository } = await inTeam({ 'repo.code': 'write', 'repo.releases': 'read' })
    const job = await makeJobToken(site, repository, { actor: member.account, ...contents })
    expect(await statusOf(job, repository, 'GET')).toBe(200)
    expect(await statusOf(job, repository)).toBe(403)
    await site.db
      .deleteFrom('team_members')
      .where('team_id', '=', team.id)
      .where('user_id', '=', member.account.id)
      .execute()
    expect(await statusOf(job, repository, 'GET')).toBe(404)
  })

  it('can do nothing (403) while the person who caused the run cannot sign in', async () => {
    const { ada, repository, job } = await prepare(contents)
    await site.db
      .updateTable('users')
      .set({ prohibit_login: true })
      .where('id', '=', ada.account.id)
      .execute()
    expect(await statusOf(job, repository, 'GET')).toBe(403)
    expect(await statusOf(job, repository)).toBe(403)
  })

  it('of a schedule acts for the owner, and otherwise only reads if no person caused the run', async () => {
    const { repository } = await inTeam({})
    const scheduled = await makeJobToken(site, repository, { event: 'schedule', ...contents })
    expect(await statusOf(scheduled, repository)).toBe(201)
    const unknown = await makeJobToken(site, repository, { ...contents })
    expect([await statusOf(unknown, repository, 'GET'), await statusOf(unknown, repository)]).toEqual([
      200, 403,
    ])
  })

  it('is not given to someone who starts the job without write access to releases that it can write (403)', async () => {
    const { owner, member, repository } = await inTeam({ 'repo.code': 'write', 'repo.actions': 'write' })
    for (const [permissions, status] of [
      [{ contents: 'write' }, 403],
      [{ contents: 'read' }, 201],
    ] as const) {
      const job = await makeJobToken(site, repository, { actor: owner.account, permissions })
      await site.db.deleteFrom('workflow_tasks').where('id', '=', job.task_id).execute()
      await site.db
        .updateTable('workflow_jobs')
        .set({ status: 'queued' })
        .where('id', '=', job.job_id)
        .execute()
      const path = `/repos${repository.path}/actions/jobs/${job.job_id}/tasks`
      expect((await call(site, 'POST', path, { as: member })).status).toBe(status)
    }
  })

  it('is valid no longer once the repository is transferred (401)', async () => {
    const { repository, job } = await prepare(contents)
    const bob = await makePerson(site)
    await site.db
      .updateTable('repositories')
      .set({ owner_id: bob.account.id })
      .where('id', '=', repository.id)
      .execute()
    expect(await statusOf(job, { path: `/${bob.name}/${repository.name}` })).toBe(401)
  })

  it('follows the settings of repository, owner and site at once', async () => {
    const { ada, repository, byAda } = await prepare()
    const job = await makeJobToken(site, repository, { actor: ada.account })
    const set = (path: string, body: object) =>
      call(site, 'PUT', `${path}/actions/permissions/workflow`, { as: ada, body })
    const probe = async () =>
      (await call(site, 'DELETE', `/repos${repository.path}/tags/none`, { as: job })).status
    expect(await probe()).toBe(403)
    await set('/user', { default_workflow_permissions: 'write' })
    expect(await probe()).toBe(404)
    await set(`/repos${repository.path}`, { default_workflow_permissions: 'read' })
    expect(await probe()).toBe(403)
    await set(`/repos${repository.path}`, { default_workflow_permissions: null })
    expect(await probe()).toBe(404)
    await set('/user', { max_permissions: { contents: 'read' } })
    expect(await probe()).toBe(403)
    await set('/user', { default_workflow_permissions: null, max_permissions: { contents: 'write' } })
    expect(await probe()).toBe(403)
    const root = await makePerson(site, { is_admin: true })
    const ofSite = (body: object) =>
      call(site, 'PUT', '/admin/actions/permissions/workflow', { as: root, body })
    await ofSite({ default_workflow_permissions: 'write' })
    expect(await probe()).toBe(404)
    await ofSite({ default_workflow_permissions: 'read' })
    expect((await byAda('DELETE', '/tags/none')).status).toBe(404)
  })

  it('is refused for a job that was deleted', async () => {
    const { repository, job } = await prepare(contents)
    const now = new Date()
    const forged = {
      id: 99_999_999,
      run_id: job.run_id,
      job_id: job.job_id,
      started_at: now,
      expires_at: new Date(now.getTime() + 60_000),
    }
    expect(await statusOf({ token: await issueJobToken(site.services.config, forged) }, repository)).toBe(401)
  })
})

describe('PUT /repos/{owner}/{repo}/actions/permissions', () => {
  it('/workflow returns 204, GET shows the settings, and the change is recorded once', async () => {
    const { ada, byAda } = await prepare()
    const everything = { contents: 'write', actions: 'write', statuses: 'write', packages: 'write' }
    const path = '/actions/permissions/workflow'
    expect(await byAda('GET', path)).toMatchObject({
      status: 200,
      body: { default_workflow_permissions: null, max_permissions: everything },
    })
    const body = { default_workflow_permissions: 'write', max_permissions: { actions: 'none' } }
    for (let times = 0; times < 2; times++) expect((await byAda('PUT', path, body)).status).toBe(204)
    expect((await byAda('GET', path)).body).toEqual({
      default_workflow_permissions: 'write',
      max_permissions: { ...everything, actions: 'none' },
    })
    const events = await site.db
      .selectFrom('events')
      .select('data')
      .where('kind', '=', 'permissions.edited')
      .where('actor_id', '=', ada.account.id)
      .execute()
    expect(events).toMatchObject([{ data: { changed: 'default actions' } }])
  })

  it.each([
    ['/workflow', { default_workflow_permissions: 'admin' }],
    ['/workflow', { default_workflow_permissions: 'none' }],
    ['/workflow', { max_permissions: { contents: 'owner' } }],
    ['/access', { access_level: 'enterprise' }],
    ['/access', {}],
  ])('%s returns 422 for %j', async (path, body) => {
    const { byAda } = await prepare()
    expect((await byAda('PUT', `/actions/permissions${path}`, body)).status).toBe(422)
  })

  it('/access returns 204, and GET shows it, at first none', async () => {
    const { byAda } = await prepare()
    const path = '/actions/permissions/access'
    expect((await byAda('GET', path)).body).toEqual({ access_level: 'none' })
    expect((await byAda('PUT', path, { access_level: 'user' })).status).toBe(204)
    expect((await byAda('GET', path)).body).toEqual({ access_level: 'user' })
  })
})

it('a transfer resets the default and the access level of a repository, but not its limits', async () => {
  const { repository, byAda } = await prepare()
  const [root, bob] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
  const settings = { default_workflow_permissions: 'write', max_permissions: { actions: 'read' } }
  expect((await byAda('PUT', '/actions/permissions/workflow', settings)).status).toBe(204)
  expect((await byAda('PUT', '/actions/permissions/access', { access_level: 'user' })).status).toBe(204)
  const options = { as: root, body: { new_owner: bob.name } }
  expect((await call(site, 'POST', `/repos${repository.path}/transfer`, options)).status).toBe(202)
  const at = `/repos/${bob.name}/${repository.name}/actions/permissions`
  expect((await call(site, 'GET', `${at}/workflow`, { as: bob })).body).toMatchObject({
    default_workflow_permissions: null,
    max_permissions: { actions: 'read', contents: 'write' },
  })
  expect((await call(site, 'GET', `${at}/access`, { as: bob })).body).toEqual({ access_level: 'none' })
})

it('the site has a default, which cannot be inherited (422)', async () => {
  const root = await makePerson(site, { is_admin: true })
  const path = '/admin/actions/permissions/workflow'
  expect((await call(site, 'GET', path, { as: root })).body.default_workflow_permissions).toBe('read')
  const body = { default_workflow_permissions: null }
  expect((await call(site, 'PUT', path, { as: root, body })).status).toBe(422)
})
