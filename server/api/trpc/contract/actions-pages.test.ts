import { beforeAll, describe, expect, it } from 'vitest'
import { reportTask } from '@/server/actions/report'
import { planned } from '@/testing/actions'
import { giveJob, makeRunnerRow, type QueuedRun, startQueuedRun } from '@/testing/assigned'
import { type Browser, signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
let stranger: Browser
beforeAll(async () => {
  stranger = await signIn(site, await makePerson(site))
})

interface Opened {
  queued: QueuedRun
  browser: Browser
  path: { owner: string; repo: string; run: number }
  /** Lets a runner run a job to a conclusion. */
  finish(key: string, conclusion: 'success' | 'failure'): Promise<void>
}

async function open(): Promise<Opened> {
  const queued = await startQueuedRun(site, [
    planned('build'),
    planned('lint'),
    planned('test', { needs: ['build'] }),
  ])
  const { ada, repository, ctx } = queued
  const { run } = await queued.found()
  return {
    queued,
    browser: await signIn(site, ada),
    path: { owner: ada.name, repo: repository.name, run: run.id },
    async finish(key, conclusion) {
      const runner = await makeRunnerRow(site)
      const { id } = await giveJob(queued, key, runner)
      await reportTask(ctx, runner, { taskId: id, conclusion, steps: [], outputs: {} })
    },
  }
}

describe('actions.runs.showJob', () => {
  it('returns a job with its steps, and the other jobs of the attempt', async () => {
    const { queued, browser, path } = await open()
    const { id } = await queued.job('build')
    const before = await browser.query('actions.runs.showJob', { ...path, job: id })
    expect(before.data).toMatchObject({
      job: { id, status: 'queued' },
      task: null,
      newer_job: null,
      may_write: true,
    })
    const runner = await makeRunnerRow(site)
    const task = await giveJob(queued, 'build', runner, { steps: ['Run make', 'Run make install'] })
    const step = {
      id: 0,
      conclusion: null,
      startedAt: new Date(),
      completedAt: null,
      logIndex: 3,
      logLength: 2,
    }
    await reportTask(queued.ctx, runner, { taskId: task.id, conclusion: null, steps: [step], outputs: {} })
    const { data } = await browser.query('actions.runs.showJob', { ...path, job: id })
    expect(data.jobs.map(({ key }: { key: string }) => key)).toEqual(['build', 'lint', 'test'])
    expect(data).toMatchObject({
      job: { id, status: 'in_progress', end_reason: null },
      task: {
        id: task.id,
        status: 'running',
        runner_name: 'robin',
        steps: [
          { name: 'Run make', status: 'in_progress', log_index: 3, log_length: 2 },
          { name: 'Run make install', status: 'queued', started_at: null },
        ],
      },
    })
  })

  it('returns for a job that was rerun the ID of the newer job, and the jobs of the attempt that it belongs to', async () => {
    const { queued, browser, path, finish } = await open()
    for (const key of ['build', 'lint', 'test']) await finish(key, 'success')
    const former = await queued.job('lint')
    expect((await browser.mutate('actions.runs.rerun', { ...path, jobs: former.id })).status).toBe(200)
    const newer = await queued.job('lint')
    const { data } = await browser.query('actions.runs.showJob', { ...path, job: former.id })
    expect(data).toMatchObject({ newer_job: newer.id, attempt: { number: 1 } })
    expect(data.jobs.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 1, 1])
    const kept = await browser.query('actions.runs.showJob', {
      ...path,
      job: (await queued.job('build')).id,
    })
    expect(kept.data).toMatchObject({ newer_job: null, attempt: { number: 2 } })
  })

  it('returns notFound for a job of another run, and for a run of another repository', async () => {
    const [one, other] = [await open(), await open()]
    const { id } = await other.queued.job('build')
    for (const path of [one.path, { ...one.path, run: other.path.run }]) {
      const { error } = await one.browser.query('actions.runs.showJob', { ...path, job: id })
      expect(error?.data.kind).toBe('notFound')
    }
  })
})

describe('actions.runs.rerun', () => {
  it.each([
    ['all', ['queued', 'queued', 'waiting']],
    ['failed', ['queued', 'success', 'waiting']],
  ])('starts another attempt of %s jobs', async (jobs, states) => {
    const { queued, browser, path, finish } = await open()
    await finish('build', 'failure')
    await finish('lint', 'success')
    expect(await queued.states()).toBe('failure failure success skipped')
    expect((await browser.mutate('actions.runs.rerun', { ...path, jobs })).data).toEqual({ attempt: 2 })
    expect((await queued.states()).split(' ').slice(1)).toEqual(states)
  })

  it('is rejected while the run is unfinished, without a failed job, and for readers', async () => {
    const { queued, browser, path, finish } = await open()
    const rerun = async (who: Browser, jobs: unknown) =>
      (await who.mutate('actions.runs.rerun', { ...path, jobs })).error?.data.kind
    expect(await rerun(browser, 'all')).toBe('conflict')
    for (const key of ['build', 'lint', 'test']) await finish(key, 'success')
    expect(await rerun(browser, 'failed')).toBe('unprocessable')
    expect(await rerun(stranger, 'all')).toBe('forbidden')
    expect(await queued.states()).toBe('success success success success')
  })
})

it('actions.runs.browse can filter runs by workflow, whichever folder contains the workflow', async () => {
  const { browser, path } = await open()
  const list = async (workflow?: string) => {
    const { data } = await browser.query('actions.runs.browse', {
      owner: path.owner,
      repo: path.repo,
      workflow,
    })
    return { total: data.total, workflows: data.workflows }
  }
  for (const folder of ['.gitea', '.github']) {
    await site.db
      .updateTable('workflow_runs')
      .set({ workflow_path: `${folder}/workflows/ci.yml` })
      .where('id', '=', path.run)
      .execute()
    expect(await list()).toEqual({ total: 1, workflows: ['ci.yml'] })
    expect(await list('ci.yml')).toEqual({ total: 1, workflows: ['ci.yml'] })
    expect(await list('deploy.yml')).toEqual({ total: 0, workflows: ['ci.yml'] })
  }
})
