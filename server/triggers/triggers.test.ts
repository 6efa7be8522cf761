import { execFileSync } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { showRunPage } from '@/server/actions/runs/browse'
import { tooMuch } from '@/server/actions/workflow/thread/pauses'
import type { Reader } from '@/server/actions/workflow/thread/reader'
import { payloadOf } from '@/server/hooks/payload'
import { tooBusy } from '@/server/kernel/errors'
import { forgetSingleton, singleton } from '@/server/kernel/singleton'
import { selectRepositories } from '@/server/repos'
import { jobContext } from '@/server/services'
import { contextOf } from '@/testing/actions'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { addressOf, makeGitRepository, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { keptLog } from '@/testing/kept-log'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { commitFiles, pushAndStart, startWaiting, workflowOn } from '@/testing/workflows'
import { showDispatchForm } from './dispatch'
import { followSchedules, startScheduledJob } from './schedule'
import { selectSchedules } from './store'
import { startWorkflows } from './worker'
import { browseWorkflows } from './workflows'

const log = keptLog()
const site = useSite({}, log.log)
const work = useWorkDirectory()

async function makeTarget() {
  const ada = await makePerson(site)
  const repository = await makeGitRepository(site, ada.account)
  const local = work.path()
  await startLocal(local)
  const api = `/repos${repository.path}`
  return {
    ada,
    repository,
    local,
    api,
    push: (...refs: string[]) =>
      pushAndStart(site, local, repository, ada, refs.length > 0 ? refs : ['main']),
    /** Its runs, oldest first. */
    async runs() {
      const { body } = await call(site, 'GET', `${api}/actions/runs`, { as: ada })
      return body.workflow_runs.reverse()
    },
  }
}

const rowOf = (id: number) =>
  site.db.selectFrom('workflow_runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a push', () => {
  it('starts the matching workflows of its commit, once', async () => {
    const { ada, local, push, runs } = await makeTarget()
    const commit = await commitFiles(
      local,
      {
        '.gitea/workflows/ci.yml': workflowOn('push'),
        '.gitea/workflows/next.yaml': workflowOn('{ push: { branches: [next] } }'),
        '.gitea/workflows/notes.md': 'No workflow',
        '.github/workflows/other.yml': workflowOn('push', 'Other'),
      },
      'Build it\n\nWith make.',
    )
    await push()
    const [run, ...others] = await runs()
    expect(others).toEqual([])
    expect(run).toMatchObject({
      display_title: 'Build it',
      path: '.gitea/workflows/ci.yml@refs/heads/main',
      event: 'push',
      run_number: 1,
      head_sha: commit,
      head_branch: 'main',
      status: 'queued',
      actor: { login: ada.name },
    })
    const { payload, context } = await rowOf(run.id)
    expect(payload).toMatchObject({ ref: 'refs/heads/main', after: commit, head_commit: { id: commit } })
    expect(context).toMatchObject({
      event_name: 'push',
      sha: commit,
      actor: ada.name,
      workflow_ref: expect.stringMatching(/\/\.gitea\/workflows\/ci\.yml@refs\/heads\/main$/),
    })
  })

  it('uses the workflows in .github if there are none in .gitea', async () => {
    const { local, push, runs } = await makeTarget()
    await commitFiles(local, { '.github/workflows/ci.yml': workflowOn('push') })
    await push()
    expect((await runs()).map((run: { path: string }) => run.path)).toEqual([
      '.github/workflows/ci.yml@refs/heads/main',
    ])
  })

  it('starts a workflow with path filters only if its commits changed a matching path', async () => {
    const { local, push, runs } = await makeTarget()
    await commitFiles(local, { '.gitea/workflows/docs.yml': workflowOn('{ push: { paths: ["docs/**"] } }') })
    await push()
    expect(await runs()).toHaveLength(1)
    await commitFiles(local, { 'src/a.ts': '1' })
    await push()
    expect(await runs()).toHaveLength(1)
    await commitFiles(local, { 'docs/a.md': '1' })
    await commitFiles(local, { 'src/a.ts': '2' })
    await push()
    expect(await runs()).toHaveLength(2)
    await gitOk(['checkout', '-q', '-b', 'side'], { cwd: local })
    await commitFiles(local, { 'src/a.ts': '3' })
    await push('side')
    expect(await runs()).toHaveLength(2)
    await commitFiles(local, { 'docs/a.md': '3' })
    await push('side:other')
    expect(await runs()).toHaveLength(3)
  })

  it('of a tag starts the workflows for tags, with the commit that an annotated tag points to', async () => {
    const { local, push, runs } = await makeTarget()
    const commit = await commitFiles(local, {
      '.gitea/workflows/tag.yml': workflowOn('{ push: { tags: ["v*"] } }'),
    })
    await gitOk(['tag', '-a', '-m', 'One', 'v1'], { cwd: local })
    await push('main', 'v1')
    const made = await runs()
    expect(made).toMatchObject([{ event: 'push', head_branch: 'v1', head_sha: commit }])
    expect((await rowOf(made[0].id)).context).toMatchObject({ ref: 'refs/tags/v1', ref_type: 'tag' })
    await push(':v1')
    expect(await runs()).toHaveLength(1)
  })

  it('starts nothing if the message of its newest commit says so', async () => {
    const { local, push, runs } = await makeTarget()
    await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('push') }, 'Fix a typo [skip ci]')
    await push()
    await commitFiles(local, {}, 'Fix another\n\nskip-checks: true')
    await push()
    expect(await runs()).toEqual([])
  })

  it("makes the repository's variables available to names, labels and conditions of jobs", async () => {
    const { ada, api, local, push, runs } = await makeTarget()
    await call(site, 'POST', `${api}/actions/variables/WHERE`, { as: ada, body: { value: 'gpu' } })
    const job = 'runs-on: x, steps: [{ run: make }]'
    await commitFiles(local, {
      '.gitea/workflows/ci.yml': `on: push
run-name: To \${{ vars.WHERE }}
jobs:
  a: { runs-on: '\${{ vars.WHERE }}', steps: [{ run: make }] }
  b: { if: vars.WHERE == 'cpu', ${job} }
  c: { needs: b, if: always() && vars.WHERE == 'gpu', ${job} }
  d: { needs: a, if: always() && vars.WHERE == 'gpu', ${job} }
`,
    })
    await push()
    const [run] = await runs()
    expect(run.display_title).toBe('To gpu')
    const jobs = async () =>
      (await call(site, 'GET', `${api}/actions/runs/${run.id}/jobs`, { as: ada })).body.jobs.map(
        ({ status, labels }: { status: string; labels: string[] }) => `${status} ${labels}`,
      )
    expect(await jobs()).toEqual(['queued gpu', 'completed x', 'queued x', 'waiting x'])
    const { body } = await call(site, 'GET', `${api}/actions/runs/${run.id}/jobs`, { as: ada })
    const { body: task } = await call(site, 'POST', `${api}/actions/jobs/${body.jobs[0].id}/tasks`, {
      as: ada,
    })
    await call(site, 'PATCH', `${api}/actions/tasks/${task.id}`, { as: ada, body: { conclusion: 'failure' } })
    expect(await jobs()).toEqual(['completed gpu', 'completed x', 'queued x', 'queued x'])
  })

  it('shows an invalid workflow as a failed run that says what is wrong', async () => {
    const { local, push, runs } = await makeTarget()
    await commitFiles(local, {
      '.gitea/workflows/a.yml': 'on: push\njobs:\n  a:\n    steps: [{ run: make }]\n',
      '.gitea/workflows/b.yml': 'on: release\njobs: 7\n',
      '.gitea/workflows/c.yml': '- not\n- one\n',
      '.gitea/workflows/d.yml': `# ${'long '.repeat(110_000)}`,
      '.gitea/workflows/e.yml': workflowOn('push').replace('ubuntu-latest', `\${{ fromJSON('{') }}`),
    })
    await push()
    const made = await runs()
    expect(
      made.map((run: { path: string; conclusion: string }) => [run.path.slice(17, 22), run.conclusion]),
    ).toEqual([
      ['a.yml', 'failure'],
      ['c.yml', 'failure'],
      ['d.yml', 'failure'],
      ['e.yml', 'failure'],
    ])
    const errors = await Promise.all(made.map(async (run: { id: number }) => (await rowOf(run.id)).error))
    expect(errors[0]).toBe('line 4, column 5: Required property is missing: runs-on')
    expect(errors[2]).toContain('512 KiB')
    expect(errors[3]).toContain('fromJSON')
  })

  it('shows with a run what has no effect in its jobs', async () => {
    const { local, push, runs } = await makeTarget()
    const job = '{ runs-on: x, environment: live, timeout-minutes: 200, steps: [{ run: make }] }'
    await commitFiles(local, { '.gitea/workflows/a.yml': `on: push\njobs:\n  a: ${job}\n` })
    await push()
    expect(await runs()).toMatchObject([
      {
        status: 'queued',
        warnings: [
          expect.stringMatching(/^line 3, column 33: The environment of job 'a' has no effect: /),
          "line 3, column 56: Job 'a' ends after 3 hours, before its timeout of 200 minutes.",
        ],
      },
    ])
  })

  it('starts a workflow although another of its events has a mistake, which the run and the list show', async () => {
    const { ada, api, repository, local, push, runs } = await makeTarget()
    await commitFiles(local, {
      '.gitea/workflows/a.yml': workflowOn(
        `{ push: , schedule: [{ cron: '@daily' }, { cron: 'x' }], "a\\0b": }`,
      ),
      '.gitea/workflows/b.yml': workflowOn(`{ push: { branch: main }, pusj: }`),
      '.gitea/workflows/c.yml': workflowOn(`
  push:
  workflow_dispatch:
    inputs: { flag: { type: boolean, default: 'true' }, count: { type: number, default: many } }`),
    })
    await push()
    const message = "line 2, column 46: 'x' is not a valid cron pattern."
    expect(await runs()).toMatchObject([
      {
        status: 'queued',
        warnings: [expect.stringContaining(message), expect.stringContaining("Unexpected value 'ab'")],
      },
      {
        conclusion: 'failure',
        error: "line 2, column 15: Unexpected value 'branch'; did you mean 'branches'?",
      },
      {
        status: 'queued',
        warnings: [expect.stringMatching(/^line 5, .* must be a number\. \(on\.workflow_dispatch\)$/)],
      },
    ])
    expect((await selectSchedules(site.db, repository.id)).map(({ cron }) => cron)).toEqual(['@daily'])
    const path = { owner: ada.name, repo: repository.name }
    const { workflows } = await browseWorkflows(contextOf(site, ada), path)
    expect(workflows.map(({ can_start }) => can_start)).toEqual([true, false, true])
    expect(workflows.map(({ is_invalid, mistakes }) => [is_invalid, mistakes.length])).toEqual([
      [false, 2],
      [false, 2],
      [false, 1],
    ])
    const dispatched = await call(site, 'POST', `${api}/actions/workflows/c.yml/dispatches`, {
      as: ada,
      body: { ref: 'main' },
    })
    expect([dispatched.status, dispatched.body.message]).toEqual([
      422,
      expect.stringContaining('must be a number'),
    ])
  })

  it('is handled once, however many processes see it, and again after a failure', async () => {
    const { local, push, runs, api, ada } = await makeTarget()
    await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('[push, create]') })
    await push('main')
    expect(await runs()).toHaveLength(2)
    const ctx = jobContext(site.services, 'test')
    await call(site, 'POST', `${api}/releases`, { as: ada, body: { tag_name: 'v1' } })
    await startWorkflows(ctx, undefined, async () => {
      throw new Error('not now')
    })
    expect(log.text()).toContain('not now')
    expect(await runs()).toHaveLength(2)
    site.now.set(new Date(Date.now() + 60_000))
    await Promise.all([1, 2, 3].map(() => startWorkflows(ctx)))
    site.now.set(undefined)
    expect(await runs()).toHaveLength(4)
  })

  it('whose runs for several activities cannot be stored creates a failed run for each', async () => {
    const { local, push, runs, api, ada } = await makeTarget()
    const types = 'types: [published, released]'
    await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn(`{ release: { ${types} } }`) })
    await push('main')
    await call(site, 'POST', `${api}/releases`, { as: ada, body: { tag_name: 'v1' } })
    await startWorkflows(jobContext(site.services, 'test'), undefined, async (...args) => {
      const made = await payloadOf(...args)
      Object.assign(made?.body ?? {}, { broken: '\0' })
      return made
    })
    const found = await runs()
    expect(found.map(({ conclusion }: { conclusion: string }) => conclusion)).toEqual(['failure', 'failure'])
  })

  it('whose runs cannot be stored creates failed runs, and one that always fails is dropped after a day', async () => {
    const { local, push, runs, api, ada } = await makeTarget()
    await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('create') })
    await push('main')
    const release = (tag_name: string) =>
      call(site, 'POST', `${api}/releases`, { as: ada, body: { tag_name } })
    const ctx = jobContext(site.services, 'test')
    await release('v1')
    await startWorkflows(ctx, undefined, async (...args) => {
      const made = await payloadOf(...args)
      Object.assign(made?.body ?? {}, { broken: '\0' })
      return made
    })
    const [, run] = await runs()
    expect(run).toMatchObject({ event: 'create', head_branch: 'v1', conclusion: 'failure' })
    expect((await rowOf(run.id)).error).toBe('The run could not be stored.')
    await release('v2')
    const waiting = () => site.db.selectFrom('event_outbox').where('consumer', '=', 'workflows')
    await site.db.updateTable('event_outbox').set({ leases: 29 }).execute()
    await startWorkflows(ctx, undefined, () => Promise.reject(new Error('never')))
    expect(await waiting().select('event_id').execute()).toEqual([])
    expect(await runs()).toHaveLength(2)
  })

  it('from before a transfer of the repository starts nothing, and the transfer cancels earlier runs', async () => {
    const { ada, local, push, runs, api } = await makeTarget()
    const ben = await makePerson(site)
    await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('push') })
    await push('main')
    await call(site, 'POST', `${api}/transfer`, { as: ada, body: { new_owner: ben.name } })
    expect((await call(site, 'POST', `${api}/transfer/accept`, { as: ben })).status).toBe(202)
    await startWorkflows(jobContext(site.services, 'test'))
    const there = api.replace(ada.name, ben.name)
    const { body } = await call(site, 'GET', `${there}/actions/runs`, { as: ben })
    expect(body.workflow_runs).toMatchObject([{ status: 'completed', conclusion: 'cancelled' }])
    expect(await runs().catch(() => 'elsewhere')).toBe('elsewhere')
  })

  it('starts nothing in a repository that has since been archived or deleted', async () => {
    const { local, push, runs, api, ada } = await makeTarget()
    await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('release') })
    await push()
    await call(site, 'POST', `${api}/releases`, { as: ada, body: { tag_name: 'v1' } })
    await call(site, 'PATCH', api, { as: ada, body: { archived: true } })
    await startWaiting(site)
    expect(await runs()).toEqual([])
  })
})

it('while actions are off, no push, schedule, person or rerun starts anything', async () => {
  const { ada, api, local, push, runs } = await makeTarget()
  const send = (method: string, path: string, body = {}) => call(site, method, api + path, { as: ada, body })
  const tick = () => startScheduledJob.run(jobContext(site.services, 'test'), new AbortController().signal)
  const on = `{ push: , workflow_dispatch: , schedule: [{ cron: '* * * * *' }] }`
  await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn(on) })
  await push()
  const [{ id }] = await runs()
  await send('POST', `/actions/runs/${id}/cancel`)
  await send('PATCH', '', { has_actions: false })
  await push('main:side')
  site.now.set(new Date(Date.now() + 120_000))
  await tick()
  const answers = [
    await send('POST', '/actions/workflows/ci.yml/dispatches', { ref: 'main' }),
    await send('POST', '/actions/runs', { workflow: workflowOn('push') }),
    await send('POST', `/actions/runs/${id}/rerun`),
  ]
  const off = { status: 403, body: { message: 'Actions are turned off in this repository.' } }
  expect(answers).toMatchObject([off, off, off])
  expect(await runs()).toHaveLength(1)
  await send('PATCH', '', { has_actions: true })
  await startWaiting(site)
  site.now.set(new Date(Date.now() + 240_000))
  await tick()
  expect(await runs()).toHaveLength(2)
  site.now.set(undefined)
})

it('an event from before a transfer starts nothing under the new owner', async () => {
  const { ada, repository, local, runs } = await makeTarget()
  const give = (to: number) =>
    site.db.updateTable('repositories').set({ owner_id: to }).where('id', '=', repository.id).execute()
  await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn('push') })
  await gitOk(['push', '-q', addressOf(site, repository, ada), 'main'], { cwd: local })
  await give((await makePerson(site)).account.id)
  await startWaiting(site)
  await give(ada.account.id)
  expect(await runs()).toEqual([])
})

describe('other events', () => {
  it('start the workflows for them, at the commit that they refer to', async () => {
    const { ada, local, push, runs, api } = await makeTarget()
    const commit = await commitFiles(local, {
      '.gitea/workflows/ci.yml': workflowOn('[create, delete]'),
      '.gitea/workflows/release.yml': workflowOn('{ release: { types: [published, deleted] } }'),
    })
    await push('main', 'main:side')
    await push(':side')
    const { body: draft } = await call(site, 'POST', `${api}/releases`, {
      as: ada,
      body: { tag_name: 'v1', name: 'One', draft: true },
    })
    await call(site, 'PATCH', `${api}/releases/${draft.id}`, { as: ada, body: { draft: false } })
    await call(site, 'PATCH', `${api}/releases/${draft.id}`, { as: ada, body: { name: 'Uno' } })
    await call(site, 'DELETE', `${api}/releases/${draft.id}`, { as: ada })
    await startWaiting(site)
    const made = await runs()
    const shown = made.map((run: { event: string; head_branch: string; head_sha: string }) => [
      run.event,
      run.head_branch,
      run.head_sha === commit,
    ])
    expect(shown).toEqual([
      ['create', 'main', true],
      ['create', 'side', true],
      ['delete', 'main', true],
      ['create', 'v1', true],
      ['release', 'v1', true],
      ['release', 'v1', true],
    ])
    const rows = await Promise.all(made.map((run: { id: number }) => rowOf(run.id)))
    expect(rows.map(({ payload }) => payload.action ?? payload.ref_type)).toEqual([
      'branch',
      'branch',
      'branch',
      'tag',
      'published',
      'deleted',
    ])
  })
})

describe('the form that starts a workflow', () => {
  it('offers the workflows of a branch that people can start, and says which ones they cannot start', async () => {
    const { ada, repository, local, api, push } = await makeTarget()
    const inputs =
      '{ where: { type: choice, options: [a, b], default: b }, count: { type: number, required: true } }'
    await commitFiles(local, {
      '.gitea/workflows/ci.yml': workflowOn('push'),
      '.gitea/workflows/deploy.yml': workflowOn(`{ workflow_dispatch: { inputs: ${inputs} } }`, 'Deploy'),
      '.gitea/workflows/empty.yml': '',
      '.gitea/workflows/off.yml': workflowOn('workflow_dispatch', 'Off'),
      '.gitea/workflows/plain.yml': workflowOn('[push, workflow_dispatch]', 'Plain'),
      '.gitea/workflows/torn.yml': 'on: [workflow_dispatch\njobs: *none',
    })
    await push()
    expect(await call(site, 'PUT', `${api}/actions/workflows/off.yml/disable`, { as: ada })).toMatchObject({
      status: 204,
    })
    const path = { owner: ada.name, repo: repository.name }
    const { workflows } = await showDispatchForm(contextOf(site, ada), path)
    const defaults = { description: '', required: false, default: '', options: [] }
    expect(workflows).toEqual([
      {
        file: 'deploy.yml',
        name: 'Deploy',
        problem: null,
        inputs: [
          { ...defaults, name: 'where', type: 'choice', default: 'b', options: ['a', 'b'] },
          { ...defaults, name: 'count', type: 'number', required: true },
        ],
      },
      { file: 'empty.yml', name: '.gitea/workflows/empty.yml', problem: 'invalid', inputs: [] },
      { file: 'off.yml', name: 'Off', problem: 'disabled', inputs: [] },
      { file: 'plain.yml', name: 'Plain', problem: null, inputs: [] },
      { file: 'torn.yml', name: '.gitea/workflows/torn.yml', problem: 'invalid', inputs: [] },
    ])
    expect(await browseWorkflows(contextOf(site, ada), path)).toEqual({
      workflows: [
        expect.objectContaining({ file: 'ci.yml', name: 'CI', is_disabled: false, events: ['push'] }),
        expect.objectContaining({ file: 'deploy.yml', is_disabled: false, events: ['workflow_dispatch'] }),
        expect.objectContaining({ file: 'empty.yml', is_disabled: false, events: null }),
        expect.objectContaining({ file: 'off.yml', is_disabled: true, events: ['workflow_dispatch'] }),
        expect.objectContaining({ file: 'plain.yml', events: ['push', 'workflow_dispatch'] }),
        expect.objectContaining({ file: 'torn.yml', is_invalid: true, events: null }),
      ],
      may_write: true,
    })
    await expect(showDispatchForm(contextOf(site, ada), { ...path, ref: 'none' })).rejects.toMatchObject({
      kind: 'notFound',
      field: 'ref',
    })
  })
})

describe('a schedule', () => {
  it('comes from the newest commit, even if that is pushed while an older one is being read', async () => {
    const { repository, local, push } = await makeTarget()
    const daily = (hour: number) => workflowOn(`{ schedule: [{ cron: '0 ${hour} * * *' }] }`)
    await commitFiles(local, { '.gitea/workflows/a.yml': daily(1) })
    await push()
    await commitFiles(local, { '.gitea/workflows/a.yml': daily(2) })
    await push('main:next')
    const ctx = jobContext(site.services, 'test')
    const now = () => {
      execFileSync('git', ['update-ref', 'refs/heads/main', 'next'], { cwd: repository.directory })
      return new Date()
    }
    const row = (await selectRepositories(site.db, [repository.id])).get(repository.id)
    if (row) await followSchedules({ ...ctx, clock: { ...ctx.clock, now } }, row)
    expect(await selectSchedules(site.db, repository.id)).toMatchObject([{ cron: '0 2 * * *' }])
  })

  it('that cannot be started does not block others, and is retried at its next time', async () => {
    const at = (time: string) => site.now.set(new Date(`2031-01-01T${time}Z`))
    const tick = () => startScheduledJob.run(jobContext(site.services, 'test'), new AbortController().signal)
    const hourly = workflowOn(`{ schedule: [{ cron: '0 * * * *' }] }`)
    at('00:30:00')
    const [broken, whole] = [await makeTarget(), await makeTarget()]
    await commitFiles(broken.local, { '.gitea/workflows/a.yml': hourly })
    await broken.push()
    const job = 'runs-on: x, steps: [{ run: make }]'
    await commitFiles(whole.local, {
      '.gitea/workflows/a.yml': hourly,
      '.gitea/workflows/b.yml': `${hourly}    if: "github.ref != 'a\\0'"\n`,
      '.gitea/workflows/c.yml': hourly.replace('ubuntu-latest', `"\${{ fromJSON('{\\0') }}"`),
      '.gitea/workflows/e.yml': workflowOn(`{ schedule: [{ cron: '20/40 0,1 * * *' }] }`),
      '.gitea/workflows/d.yml': `on: { schedule: [{ cron: '0 * * * *', timezone: "UTC\\0" }] }\njobs: { a: { ${job} } }`,
    })
    await whole.push()
    await rename(broken.repository.directory, `${broken.repository.directory}.away`)
    at('01:00:00')
    await tick()
    await rename(`${broken.repository.directory}.away`, broken.repository.directory)
    await tick()
    expect(await broken.runs()).toEqual([])
    expect(await whole.runs()).toHaveLength(3)
    at('02:00:00')
    await tick()
    expect(await broken.runs()).toHaveLength(1)
    const paths = (await whole.runs()).map(({ path }: { path: string }) => path.split('@')[0])
    expect(paths).toContain('.gitea/workflows/e.yml')
    site.now.set(undefined)
  })

  it('is kept if its file takes too much to read, while those of other files are updated', async () => {
    const { local, push, repository } = await makeTarget()
    const daily = (hour: number) => workflowOn(`{ schedule: [{ cron: '0 ${hour} * * *' }] }`)
    const crons = async () => (await selectSchedules(site.db, repository.id)).map(({ cron }) => cron).sort()
    await commitFiles(local, { '.gitea/workflows/a.yml': daily(1), '.gitea/workflows/b.yml': daily(2) })
    await push()
    const read = singleton<Reader | undefined>('workflow-reader', () => undefined)
    forgetSingleton('workflow-reader')
    const isHeavy = (input: object) => 'document' in input && String(input.document).includes("'0 3 ")
    singleton(
      'workflow-reader',
      (): Reader => (asking, name, input) =>
        isHeavy(input) || !read ? Promise.reject(tooMuch('time')) : read(asking, name, input),
    )
    await commitFiles(local, { '.gitea/workflows/a.yml': daily(3), '.gitea/workflows/b.yml': daily(4) })
    await push()
    forgetSingleton('workflow-reader')
    expect(await crons()).toEqual(['0 1 * * *', '0 4 * * *'])
    await commitFiles(local, { '.gitea/workflows/c.yml': daily(5) })
    await push()
    expect(await crons()).toEqual(['0 3 * * *', '0 4 * * *', '0 5 * * *'])
  })

  it('that is refused temporarily is retried a minute later, after other due schedules', async () => {
    const at = (time: string) => site.now.set(new Date(`2032-01-01T${time}Z`))
    const tick = () => startScheduledJob.run(jobContext(site.services, 'test'), new AbortController().signal)
    at('00:30:00')
    const { local, push, runs, repository } = await makeTarget()
    await commitFiles(local, {
      '.gitea/workflows/a.yml': workflowOn(`{ schedule: [{ cron: '0 * * * *' }] }`),
    })
    await push()
    const next = async () => (await selectSchedules(site.db, repository.id)).map(({ next_at }) => next_at)
    forgetSingleton('workflow-reader')
    singleton('workflow-reader', () => () => Promise.reject(tooBusy()))
    at('01:00:00')
    await tick()
    expect(await runs()).toEqual([])
    expect(await next()).toEqual([new Date('2032-01-01T01:01:00Z')])
    forgetSingleton('workflow-reader')
    at('01:01:00')
    await tick()
    expect(await runs()).toHaveLength(1)
    expect(await next()).toEqual([new Date('2032-01-01T02:00:00Z')])
    site.now.set(undefined)
  })

  it('starts a workflow of the default branch at its times: once each, and once for all missed times', async () => {
    const { ada, api, local, push, runs } = await makeTarget()
    const at = (time: string) => site.now.set(new Date(`2030-01-01T${time}Z`))
    const tick = () => startScheduledJob.run(jobContext(site.services, 'test'), new AbortController().signal)
    const scheduled = (cron: string) =>
      workflowOn(`{ schedule: [{ cron: '${cron}' }, { cron: '0 12 * * *', timezone: Asia/Tokyo }] }`)
    at('00:00:30')
    const commit = await commitFiles(local, { '.gitea/workflows/night.yml': scheduled('*/10 * * * *') })
    await push()
    await tick()
    expect(await runs()).toEqual([])
    at('00:10:00')
    await Promise.all([tick(), tick()])
    await tick()
    expect(await runs()).toMatchObject([{ event: 'schedule', head_branch: 'main', head_sha: commit }])
    // Three times of the first schedule, and noon in Tokyo.
    at('03:05:00')
    await tick()
    expect(await runs()).toHaveLength(3)
    await call(site, 'PUT', `${api}/actions/workflows/night.yml/disable`, { as: ada })
    at('03:10:00')
    await tick()
    expect(await runs()).toHaveLength(3)
    await call(site, 'PUT', `${api}/actions/workflows/night.yml/enable`, { as: ada })
    await commitFiles(local, { '.gitea/workflows/night.yml': scheduled('5 * * * *') }, 'Later [skip ci]')
    await push()
    at('04:00:00')
    await tick()
    expect(await runs()).toHaveLength(3)
    at('04:05:00')
    await tick()
    expect(await runs()).toHaveLength(4)
    await push('main:next')
    await call(site, 'PATCH', api, { as: ada, body: { default_branch: 'next' } })
    await gitOk(['rm', '-q', '-r', '.gitea'], { cwd: local })
    await commitFiles(local, {})
    await push('main:next')
    at('05:05:00')
    await tick()
    expect(await runs()).toHaveLength(4)
    site.now.set(undefined)
  })
})

describe('a release', () => {
  it('starts one run for each activity that a workflow lists, or one if it lists none', async () => {
    const { ada, local, push, runs, api } = await makeTarget()
    const types = 'types: [published, released, prereleased, created, edited, unpublished, deleted]'
    await commitFiles(local, {
      '.gitea/workflows/all.yml': workflowOn(`{ release: { ${types} } }`, 'All'),
      '.gitea/workflows/one.yml': workflowOn('release', 'One'),
    })
    await push('main')
    let seen = 0
    const actions = async () => {
      await startWaiting(site)
      const made = (await runs()).slice(seen)
      seen += made.length
      const rows = await Promise.all(made.map((run: { id: number }) => rowOf(run.id)))
      return rows.map(({ workflow_name, payload }) => `${workflow_name}: ${payload.action}`)
    }
    const create = async (tag_name: string, rest = {}) =>
      (await call(site, 'POST', `${api}/releases`, { as: ada, body: { tag_name, ...rest } })).body.id
    const edit = (id: number, body: object) => call(site, 'PATCH', `${api}/releases/${id}`, { as: ada, body })
    await create('v1')
    expect(await actions()).toEqual(['All: published', 'All: released', 'All: created', 'One: published'])
    const pre = await create('v2', { prerelease: true })
    expect(await actions()).toEqual(['All: published', 'All: prereleased', 'All: created', 'One: published'])
    await edit(pre, { prerelease: false })
    expect(await actions()).toEqual(['All: released', 'All: edited', 'One: released'])
    await edit(pre, { name: 'Two' })
    expect(await actions()).toEqual(['All: edited', 'One: edited'])
    await edit(pre, { draft: true })
    expect(await actions()).toEqual(['All: unpublished', 'One: unpublished'])
    const draft = await create('v3', { draft: true, prerelease: true })
    expect(await actions()).toEqual([])
    await edit(draft, { draft: false })
    expect(await actions()).toEqual(['All: published', 'One: published'])
    await edit(pre, { draft: false })
    expect(await actions()).toEqual(['All: published', 'All: released', 'One: published'])
    await call(site, 'DELETE', `${api}/releases/${pre}`, { as: ada })
    expect(await actions()).toEqual(['All: deleted', 'One: deleted'])
  })
})

describe('workflow_run', () => {
  const following = (name: string, rest: string) => workflowOn(`{ workflow_run: { ${rest} } }`, name)
  const complete = async (api: string, ada: Awaited<ReturnType<typeof makePerson>>, id: number) => {
    const { body } = await call(site, 'GET', `${api}/actions/runs/${id}/jobs`, { as: ada })
    const [job] = body.jobs
    const started = await call(site, 'POST', `${api}/actions/jobs/${job.id}/tasks`, { as: ada })
    const task = `${api}/actions/tasks/${started.body.id}`
    await call(site, 'PATCH', task, { as: ada, body: { conclusion: 'failure' } })
    await startWaiting(site)
  }

  it('starts for the runs, types and branches that it lists, from the file on the default branch', async () => {
    const { ada, local, push, runs, api } = await makeTarget()
    await commitFiles(local, {
      '.gitea/workflows/ci.yml': workflowOn('push', 'CI'),
      '.gitea/workflows/a.yml': following('A', 'workflows: [CI], types: [completed], branches: [main]'),
      '.gitea/workflows/b.yml': following('B', 'workflows: [Other]'),
      '.gitea/workflows/c.yml': following('C', 'workflows: [CI], types: [requested]'),
    })
    await push('main')
    const head = await commitFiles(local, {})
    await push('main', 'main:dev')
    const shown = async () =>
      (await runs()).map((run: { path: string; event: string }) => `${run.path.slice(17, 19)} ${run.event}`)
    expect(await shown()).toEqual(
      expect.arrayContaining(['ci push', 'ci push', 'ci push', 'c. workflow_run']),
    )
    const before = await shown()
    const [first, , third] = (await runs()).filter(({ event }: { event: string }) => event === 'push')
    await complete(api, ada, first.id)
    const made = (await runs()).slice(before.length)
    expect(made).toMatchObject([
      { event: 'workflow_run', head_sha: head, head_branch: 'main', actor: { login: ada.name } },
    ])
    const { payload } = await rowOf(made[0].id)
    expect(payload).toMatchObject({
      action: 'completed',
      workflow: { name: 'CI' },
      workflow_run: { id: first.id, conclusion: 'failure' },
    })
    const [owner = '', repo = ''] = api.split('/').slice(2)
    const followedBy = async (run: number) =>
      (await showRunPage(contextOf(site, ada), { owner, repo, run })).followed
    expect(await followedBy(made[0].id)).toMatchObject({ id: first.id, number: 1, workflow_name: 'CI' })
    expect(await followedBy(first.id)).toBeNull()
    expect(third.head_branch).toBe('dev')
    await complete(api, ada, third.id)
    expect(await runs()).toHaveLength(before.length + 1)
  })

  it('starts at most 500 runs of a repository in an hour', async () => {
    const { ada, repository, local, push, runs, api } = await makeTarget()
    await commitFiles(local, {
      '.gitea/workflows/ci.yml': workflowOn('push', 'CI'),
      '.gitea/workflows/a.yml': following('A', 'workflows: [CI], types: [completed]'),
    })
    await push('main')
    await commitFiles(local, {})
    await push('main')
    const [first, second] = await runs()
    await complete(api, ada, first.id)
    const followed = await runs()
    expect(followed).toHaveLength(3)
    const { owner_id, workflow_path, workflow_name, title, document, event, ref, sha } = await rowOf(
      followed[2].id,
    )
    const others = Array.from({ length: 499 }, (_, index) => ({
      ...{ owner_id, workflow_path, workflow_name, title, document, event, ref, sha },
      repository_id: repository.id,
      number: 1000 + index,
      actor_id: null,
      status: 'completed' as const,
      conclusion: 'success' as const,
      started_at: null,
      completed_at: new Date(),
    }))
    await site.db.insertInto('workflow_runs').values(others).execute()
    await complete(api, ada, second.id)
    const count = () =>
      site.db
        .selectFrom('workflow_runs')
        .select(eb => eb.fn.countAll<number>().as('count'))
        .where('repository_id', '=', repository.id)
        .executeTakeFirstOrThrow()
    expect(Number((await count()).count)).toBe(502)
    expect(log.text()).toContain('too many runs follow others')
  })

  it('ends after three workflows that follow each other', async () => {
    const { ada, local, push, runs, api } = await makeTarget()
    const chain = ['W1', 'W2', 'W3', 'W4'].map((name, index) => [
      `.gitea/workflows/${name}.yml`,
      following(name, `workflows: [W${index}], types: [completed]`),
    ])
    await commitFiles(local, {
      '.gitea/workflows/W0.yml': workflowOn('push', 'W0'),
      ...Object.fromEntries(chain),
    })
    await push('main')
    for (let level = 0; level < 5; level++) {
      const last = (await runs()).at(-1)
      if (last.status !== 'completed') await complete(api, ada, last.id)
    }
    expect((await runs()).map(({ path }: { path: string }) => path.slice(17, 19))).toEqual([
      'W0',
      'W1',
      'W2',
      'W3',
    ])
  })
})

describe('repository_dispatch', () => {
  it('starts the workflows for its type, with its payload', async () => {
    const { ada, local, push, runs, api } = await makeTarget()
    await commitFiles(local, {
      '.gitea/workflows/a.yml': workflowOn('{ repository_dispatch: { types: [build] } }', 'A'),
      '.gitea/workflows/b.yml': workflowOn('{ repository_dispatch: { types: [other] } }', 'B'),
      '.gitea/workflows/c.yml': workflowOn('repository_dispatch', 'C'),
    })
    await push('main')
    const dispatch = (body: object, as = ada) => call(site, 'POST', `${api}/dispatches`, { as, body })
    const { status } = await dispatch({ event_type: 'build', client_payload: { deep: [{ x: 1 }] } })
    expect(status).toBe(204)
    const made = await runs()
    expect(made).toMatchObject([
      {
        event: 'repository_dispatch',
        path: '.gitea/workflows/a.yml@refs/heads/main',
        display_title: 'build',
      },
      { event: 'repository_dispatch', path: '.gitea/workflows/c.yml@refs/heads/main' },
    ])
    expect((await rowOf(made[0].id)).payload).toMatchObject({
      action: 'build',
      branch: 'main',
      client_payload: { deep: [{ x: 1 }] },
      sender: { login: ada.name },
    })
    for (const wrong of [
      {},
      { event_type: '' },
      { event_type: 'x'.repeat(101) },
      { event_type: 'x', client_payload: [] },
      {
        event_type: 'x',
        client_payload: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, n])),
      },
      { event_type: 'x', client_payload: { long: 'x'.repeat(65_535) } },
      { event_type: 'x', client_payload: { a: [{ half: '\ud800' }] } },
      { event_type: 'x', client_payload: { a: { 'k\0': 1 } } },
    ])
      expect((await dispatch(wrong)).status, JSON.stringify(wrong).slice(0, 60)).toBe(422)
    const ben = await makePerson(site)
    expect((await dispatch({ event_type: 'build' }, ben)).status).toBe(403)
    expect(await runs()).toHaveLength(2)
  })
})
