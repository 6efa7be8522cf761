import { describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { hubOf, type Signal } from '@/server/events'
import { jobContext } from '@/server/services'
import { contextOf, createTestRun, endTestJob, planned, startPlanned } from '@/testing/actions'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { rerun } from './attempts'
import { removeRun } from './control/remove'
import { announceRun, loadActions, loadRun } from './index'
import { selectJobs } from './job-store'
import { loadJob, loadTask } from './load'
import { sweepTasks } from './sweep'
import { finishTask, startTask } from './tasks'
import type { PlannedJob } from './workflow/first-jobs'

const site = useSite()

async function makeRun(jobs: readonly PlannedJob[]) {
  const ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id)
  const ctx = contextOf(site, ada)
  const names = { owner: ada.name, repo: repository.name }
  const start = async () =>
    await startPlanned(ctx, await loadActions(ctx, names, 'write'), {
      title: 'Test',
      workflow_path: 'test.yml',
      workflow_name: 'Test',
      event: 'push',
      ref: '',
      sha: '',
      document: '',
      context: { event_name: 'schedule' },
      jobs,
    })
  const { run } = await start()
  const idOf = async (key: string) =>
    (await selectJobs(site.db, run.id, 9)).find(job => job.job_key === key)?.id ?? 0
  const begin = async (key: string) =>
    await startTask(ctx, await loadJob(ctx, { ...names, job_id: await idOf(key) }, 'write'))
  return {
    start,
    begin,
    async end(key: string, conclusion: 'success' | 'failure' | 'cancelled') {
      const { task } = await begin(key)
      await finishTask(ctx, await loadTask(ctx, { ...names, task_id: task.id }, 'write'), conclusion)
    },
    async again(...keys: string[]) {
      const jobs = await Promise.all(keys.map(idOf))
      await rerun(
        ctx,
        await loadRun(ctx, { ...names, run: run.id }, 'write'),
        keys.length > 0 ? { jobs } : {},
      )
    },
    async states(attempt = 9) {
      const jobs = await selectJobs(site.db, run.id, attempt)
      const { run: now } = await loadRun(ctx, { ...names, run: run.id }, 'read')
      const shown = (row: { status: string; conclusion: string | null }) => row.conclusion ?? row.status
      return [shown(now), ...jobs.map(shown)].join(' ')
    },
    run,
  }
}

async function reportedTo(runId: number): Promise<string[]> {
  const events = await site.db.selectFrom('events').select(['kind', 'data']).orderBy('id').execute()
  const facts = events.map(({ kind, data }) => ({ kind, data: data as Record<string, unknown> }))
  return facts
    .filter(({ data }) => data.runId === runId)
    .map(({ kind, data }) => [kind, data.name, data.conclusion].filter(Boolean).join(' '))
}

describe('jobs of a run', () => {
  it("start once the jobs that they need have succeeded, and the run's status follows them", async () => {
    const { begin, end, states } = await makeRun([planned('test', { needs: ['build'] }), planned('build')])
    expect(await states()).toBe('queued waiting queued')
    await expect(begin('test')).rejects.toMatchObject({ kind: 'unprocessable' })
    await end('build', 'success')
    expect(await states()).toBe('in_progress queued success')
    await end('test', 'success')
    expect(await states()).toBe('success success success')
  })

  it('are skipped, together with all jobs that need them, if a job that they need fails', async () => {
    const { end, states } = await makeRun([
      planned('build'),
      planned('test', { needs: ['build'] }),
      planned('ship', { needs: ['test'] }),
      planned('lint'),
    ])
    await end('build', 'failure')
    expect(await states()).toBe('in_progress failure skipped skipped queued')
    await end('lint', 'success')
    expect(await states()).toBe('failure failure skipped skipped success')
  })

  it('wait for every job of a matrix', async () => {
    const { run, end, states } = await makeRun([
      planned('build', { matrix: { os: 'a' } }),
      planned('test', { needs: ['build'] }),
      planned('build', { matrix: { os: 'b' } }),
    ])
    await end('build', 'success')
    expect(await states()).toBe('in_progress success waiting queued')
    expect(await reportedTo(run.id)).not.toContain('run.completed success')
  })

  it('are recorded one by one, and so is the run, in every attempt', async () => {
    const { run, end, again } = await makeRun([planned('build'), planned('test', { needs: ['build'] })])
    expect(await reportedTo(run.id)).toEqual(['run.created', 'job.queued build', 'job.blocked test'])
    await end('build', 'failure')
    expect((await reportedTo(run.id)).slice(3)).toEqual([
      'job.started build',
      'run.started',
      'job.completed build failure',
      'job.completed test skipped',
      'run.completed failure',
    ])
    await again()
    expect((await reportedTo(run.id)).slice(8)).toEqual([
      'run.retried',
      'job.blocked test',
      'job.queued build',
    ])
  })

  it('start only once, however many callers start them at the same time', async () => {
    const { begin } = await makeRun([planned('build')])
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map(() => begin('build')))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ kind: 'conflict' })
    }
  })

  it('complete only once: repeating the conclusion changes nothing, and another conclusion is refused', async () => {
    const made = await createTestRun(site)
    await endTestJob(site, made, made.jobs[0])
    await endTestJob(site, made, made.jobs[0])
    await expect(endTestJob(site, made, made.jobs[0], 'failure')).rejects.toMatchObject({ kind: 'conflict' })
  })
})

describe('jobs with a condition', () => {
  it('start after failures if it says so, are skipped if it is not met, and fail if it cannot be evaluated', async () => {
    const needs = ['build']
    const { end, states } = await makeRun([
      planned('build'),
      planned('always', { needs, condition: 'always()' }),
      planned('failed', { needs, condition: "failure() && needs.build.result == 'failure'" }),
      planned('fine', { needs, condition: "success() && (github.event_name == 'push')" }),
      planned('broken', { needs, condition: "always() && fromJSON('{')" }),
      planned('other', { condition: "github.event_name == 'push'" }),
    ])
    expect(await states()).toBe('queued queued waiting waiting waiting waiting skipped')
    await end('build', 'failure')
    expect(await states()).toBe('in_progress failure queued queued skipped failure skipped')
  })
})

describe('status functions in a condition', () => {
  it('report on all earlier jobs, including those that a job needs indirectly', async () => {
    const { end, states } = await makeRun([
      planned('build'),
      planned('deploy', { needs: ['build'] }),
      planned('notify', { needs: ['deploy'], condition: 'failure()' }),
      planned('lint', { needs: ['build'], condition: 'always()' }),
      planned('ship', { needs: ['lint'] }),
      planned('tell', { needs: ['lint'], condition: '!failure()' }),
    ])
    await end('build', 'failure')
    expect(await states()).toBe('in_progress failure skipped queued queued waiting waiting')
    await end('lint', 'success')
    expect(await states()).toBe('in_progress failure skipped queued success skipped skipped')
  })
})

describe('a job with continue-on-error', () => {
  it('counts as a success for the run and for later jobs if it fails, in every attempt', async () => {
    const { end, again, states } = await makeRun([
      planned('try', { continue_on_error: true }),
      planned('after', { needs: ['try'] }),
      planned('check', { needs: ['after'], condition: "success() && needs.try.result != 'failure'" }),
    ])
    for (const expected of ['success failure success success', 'success failure success success']) {
      await end('try', 'failure')
      await end('after', 'success')
      await end('check', 'success')
      expect(await states()).toBe(expected)
      await again()
    }
  })
})

describe('another attempt', () => {
  it('runs the selected jobs and all jobs that need them, and shows the others unchanged', async () => {
    const { end, again, states } = await makeRun([
      planned('build'),
      planned('lint'),
      planned('test', { needs: ['build'] }),
      planned('ship', { needs: ['test'] }),
    ])
    await expect(again()).rejects.toMatchObject({ kind: 'conflict' })
    await end('lint', 'success')
    await end('build', 'success')
    await end('test', 'failure')
    expect(await states()).toBe('failure success success failure skipped')
    await again('test')
    expect(await states()).toBe('queued success success queued waiting')
    await end('test', 'success')
    await end('ship', 'success')
    expect(await states()).toBe('success success success success success')
    expect(await states(1)).toBe('success success success failure skipped')
    await again()
    expect(await states()).toBe('queued queued queued waiting waiting')
  })

  it('has its own start, end and person, and leaves those of the previous attempt unchanged', async () => {
    const { run, end, again } = await makeRun([planned('build')])
    await end('build', 'failure')
    await again()
    const attempts = await site.db
      .selectFrom('workflow_run_attempts')
      .selectAll()
      .where('run_id', '=', run.id)
      .orderBy('number')
      .execute()
    expect(attempts).toMatchObject([
      { number: 1, status: 'completed', conclusion: 'failure', completed_at: expect.any(Date) },
      { number: 2, status: 'queued', conclusion: null, started_at: null, actor_id: run.actor_id },
    ])
  })
})

describe('a task whose end is never reported', () => {
  it('ends when its token expires, and its job fails', async () => {
    const { begin, states } = await makeRun([planned('build'), planned('lint')])
    const { task } = await begin('build')
    site.now.set(new Date(task.expires_at.getTime() + 1))
    await begin('lint')
    await sweepTasks(jobContext(site.services, 'test'), {
      signal: new AbortController().signal,
      startedAt: new Date(0),
    })
    site.now.set(undefined)
    expect(await states()).toBe('in_progress failure in_progress')
  })
})

describe('runs', () => {
  it('are numbered without gaps when 200 start at the same time, and no number is reused', async () => {
    const { start, run } = await makeRun([planned('build')])
    const made = await Promise.all(Array.from({ length: 200 }, start))
    const numbers = made.map(each => each.run.number).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, index) => index + 2))
    await site.db.deleteFrom('workflow_runs').where('repository_id', '=', run.repository_id).execute()
    expect((await start()).run.number).toBe(202)
  })

  it('do not start in an archived repository', async () => {
    const { start, begin, run } = await makeRun([planned('build')])
    await site.db
      .updateTable('repositories')
      .set({ archived_at: new Date() })
      .where('id', '=', run.repository_id)
      .execute()
    await expect(start()).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(begin('build')).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('are announced to open pages when they are deleted', async () => {
    const { run, jobs, ada, repository } = await createTestRun(site)
    const ctx = contextOf(site, ada)
    const found = () => loadRun(ctx, { owner: ada.name, repo: repository.name, run: run.id }, 'write')
    await endTestJob(site, { ada, repository }, jobs[0])
    const heard: Signal[] = []
    const stop = hubOf(site.db).listen(signals => heard.push(...signals))
    await removeRun(ctx, await found())
    stop()
    expect(heard).toContainEqual({ kind: 'run.changed', runId: run.id, repositoryId: run.repository_id })
  })

  it('are announced once for each transaction that changes them', async () => {
    const { run, end } = await makeRun([planned('build')])
    const heard: Signal[] = []
    const stop = hubOf(site.db).listen(signals => heard.push(...signals))
    await withTransaction(site.db, async trx => {
      for (let times = 0; times < 2; times++) announceRun(trx, run)
      expect(heard).toEqual([])
    })
    await end('build', 'success')
    stop()
    const notice = { kind: 'run.changed', runId: run.id, repositoryId: run.repository_id }
    expect(heard.filter(({ kind }) => kind === 'run.changed')).toEqual([notice, notice, notice])
    expect(heard.map(({ kind }) => kind)).toContain('run.completed')
  })
})
