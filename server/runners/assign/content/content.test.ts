import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { reportTask } from '@/server/actions'
import { createRun } from '@/server/actions/create'
import { loadActions } from '@/server/actions/load'
import { CreateRunOption } from '@/server/actions/schema'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { seal } from '@/server/kernel/seal'
import { jobContext } from '@/server/services'
import { contextOf } from '@/testing/actions'
import { startQueuedRun } from '@/testing/assigned'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import { fetchTask } from '../..'

const site = useSite()

const workflow = `
on: push
name: CI
jobs:
  build:
    runs-on: \${{ matrix.os }}
    strategy: { fail-fast: false, matrix: { os: [linux, macos] } }
    steps: [{ run: make }]
  test:
    needs: build
    if: always()
    runs-on: linux
    steps: [{ run: make test }]
`

async function setUp() {
  const { ada, repository } = await startQueuedRun(site, [])
  const ctx = contextOf(site, ada)
  const found = await loadActions(ctx, { owner: ada.name, repo: repository.name }, 'write')
  const run = await createRun(
    ctx,
    found,
    CreateRunOption.parse({ workflow, ref: 'main', event: 'push', sha: 'a'.repeat(40) }),
  )
  const { runner } = await makeRunner(site, ada, { labels: ['linux', 'macos'] })
  const caller = { kind: 'runner', runnerId: runner.id, ownerId: ada.account.id, repositoryId: null } as const
  const runnerCtx: RunnerCtx = { ...jobContext(site.services, 'test'), caller }
  return {
    ada,
    repository,
    run,
    runner,
    async next() {
      const task = await fetchTask(runnerCtx, { holdMs: 0 })
      if (!task) throw new Error('no task')
      return task
    },
    report: (taskId: number, conclusion: 'success' | 'failure', outputs: Record<string, string>) =>
      reportTask(runnerCtx, runner.id, { taskId, conclusion, steps: [], outputs }),
  }
}

it('a task contains one job of the workflow, and the data of its run that a job reads', async () => {
  const { ada, repository, run, next } = await setUp()
  const task = await next()
  expect(parse(task.workflowPayload)).toEqual({
    name: 'CI',
    on: 'push',
    jobs: {
      build: {
        'runs-on': ['linux'],
        if: 'always()',
        strategy: { 'fail-fast': false, matrix: { os: ['linux'] } },
        steps: [{ run: 'make' }],
      },
    },
  })
  expect(task.context).toMatchObject({
    event: {},
    event_name: 'push',
    run_id: String(run.id),
    run_number: String(run.run_number),
    run_attempt: '1',
    actor: ada.name,
    repository: `${ada.name}/${repository.name}`,
    repository_owner: ada.name,
    sha: 'a'.repeat(40),
    ref: 'refs/heads/main',
    ref_name: 'main',
    ref_type: 'branch',
    head_ref: '',
    base_ref: '',
    job: 'build',
    retention_days: '90',
    gitea_default_actions_url: 'https://github.com',
  })
  const { event, ref_protected, ...texts } = task.context
  expect(ref_protected).toBe(false)
  expect(Object.values(texts).every(value => typeof value === 'string')).toBe(true)
  const token = String(task.context.gitea_runtime_token)
  expect(task.context.token).toBe(token)
  expect(task.secrets).toEqual({ GITHUB_TOKEN: token, GITEA_TOKEN: token })
  expect(decodeJwt(token)).toMatchObject({ TaskID: task.id, RunID: run.id })
  expect(task.needs).toEqual({})
})

it('a task contains the outcomes of needed jobs: the worst result of a matrix, and all its outputs', async () => {
  const { next, report } = await setUp()
  await report((await next()).id, 'failure', { first: '1', both: 'a' })
  await report((await next()).id, 'success', { second: '2', both: 'b' })
  expect((await next()).needs).toEqual({
    build: { result: 'failure', outputs: { first: '1', second: '2', both: 'b' } },
  })
})

it('a runner whose labels were edited on the server is sent the labels that it declared', async () => {
  const { runner, next } = await setUp()
  await site.db
    .updateTable('runners')
    .set({ labels_edited: true, declared_labels: JSON.stringify(['own', 'macos']) })
    .where('id', '=', runner.id)
    .execute()
  expect(parse((await next()).workflowPayload).jobs.build['runs-on']).toEqual(['own', 'macos'])
})

it.each([
  ['by its name', 'echo $@{ secrets.old }}', 'failure', 'secret_sealed'],
  ['with all others', 'echo "$@{ toJSON(secrets) }}"', 'failure', 'secret_sealed'],
  ['not at all', 'echo $@{ secrets.NEW }} > secrets/old', null, null],
])(
  'a job that uses a secret which cannot be decrypted fails with the reason: %s',
  async (_, run, conclusion, reason) => {
    const started = await startQueuedRun(site, [])
    const { ada, repository } = started
    const addSecret = (name: string, secretKey = site.services.config.secretKey) =>
      site.db
        .insertInto('workflow_variables')
        .values({
          repository_id: repository.id,
          is_secret: true,
          name,
          value_sealed: seal({ secretKey }, 'workflow.secret', 'x'),
        })
        .execute()
    await addSecret('OLD', 'o'.repeat(32))
    await addSecret('NEW')
    const ctx = contextOf(site, ada)
    const found = await loadActions(ctx, { owner: ada.name, repo: repository.name }, 'write')
    const workflow = `on: push\njobs: { build: { runs-on: linux, steps: [{ run: '${run.replace('@', '{')}' }] } }`
    const made = await createRun(
      ctx,
      found,
      CreateRunOption.parse({ workflow, ref: 'main', event: 'push', sha: 'a'.repeat(40) }),
    )
    const { runner } = await makeRunner(site, ada, { labels: ['linux'] })
    const caller = {
      kind: 'runner',
      runnerId: runner.id,
      ownerId: ada.account.id,
      repositoryId: null,
    } as const
    const task = await fetchTask({ ...jobContext(site.services, 'test'), caller }, { holdMs: 0 })
    expect(task?.secrets).toEqual(reason ? undefined : expect.objectContaining({ NEW: 'x' }))
    const job = await site.db
      .selectFrom('workflow_jobs')
      .select(['conclusion', 'end_reason'])
      .where('run_id', '=', made.id)
      .executeTakeFirst()
    expect(job).toEqual({ conclusion, end_reason: reason })
  },
)
