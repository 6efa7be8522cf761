import { describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import { hubOf, type Signal } from '@/server/events'
import { contextOf, createTestRun, endTestJob, planned } from '@/testing/actions'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { announceRun, loadActions, loadRun } from './index'
import { selectJobs } from './job-store'
import { loadJob, loadTask } from './load'
import { type PlannedJob, startRun } from './start-run'
import { finishTask, startTask } from './tasks'

const site = useSite()

async function makeRun(jobs: readonly PlannedJob[]) {
  const ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id)
  const ctx = contextOf(site, ada)
  const names = { owner: ada.name, repo: repository.name }
  const start = async () =>
    await startRun(ctx, await loadActions(ctx, names, 'write'), {
      title: 'Test',
      workflow_path: 'test.yml',
      workflow_name: 'Test',
      event: 'push',
      ref: '',
      sha: '',
      document: '',
      context: {},
      jobs,
    })
  const { run } = await start()
  const idOf = async (key: string) =>
    (await selectJobs(site.db, run.id, 1)).find(job => job.job_key === key)?.id ?? 0
  const begin = async (key: string) =>
    await startTask(ctx, await loadJob(ctx, { ...names, job_id: await idOf(key) }, 'write'))
  return {
    start,
    begin,
    async end(key: string, conclusion: 'success' | 'failure' | 'cancelled') {
      const { task } = await begin(key)
      await finishTask(ctx, await loadTask(ctx, { ...names, task_id: task.id }, 'write'), conclusion)
    },
    async states() {
      const jobs = await selectJobs(site.db, run.id, 1)
      const { run: now } = await loadRun(ctx, { ...names, run: run.id }, 'read')
      const shown = (row: { status: string; conclusion: string | null }) => row.conclusion ?? row.status
      return [shown(now), ...jobs.map(shown)].join(' ')
    },
    run,
  }
}

describe('jobs of a run', () => {
  it('start once the jobs that they need succeeded, and the run follows them', async () => {
    const { begin, end, states } = await makeRun([planned('test', { needs: ['build'] }), planned('build')])
    expect(await states()).toBe('queued waiting queued')
    await expect(begin('test')).rejects.toMatchObject({ kind: 'unprocessable' })
    await end('build', 'success')
    expect(await states()).toBe('in_progress queued success')
    await end('test', 'success')
    expect(await states()).toBe('success success success')
  })

  it('are skipped, with all that need them, when a job that they need fails', async () => {
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
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('kind', 'like', 'run.%')
      .execute()
    expect(events.filter(({ data }) => 'runId' in data && data.runId === run.id)).toHaveLength(1)
  })

  it('start once, however many ask at the same time', async () => {
    const { begin } = await makeRun([planned('build')])
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map(() => begin('build')))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ kind: 'conflict' })
    }
  })

  it('end once: with the same conclusion again nothing changes, and another one is refused', async () => {
    const made = await createTestRun(site)
    await endTestJob(site, made, made.jobs[0])
    await endTestJob(site, made, made.jobs[0])
    await expect(endTestJob(site, made, made.jobs[0], 'failure')).rejects.toMatchObject({ kind: 'conflict' })
  })
})

describe('runs', () => {
  it('are numbered without gaps when 200 start at once, and no number is given again', async () => {
    const { start, run } = await makeRun([planned('build')])
    const made = await Promise.all(Array.from({ length: 200 }, start))
    const numbers = made.map(each => each.run.number).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, index) => index + 2))
    await site.db.deleteFrom('workflow_runs').where('repository_id', '=', run.repository_id).execute()
    expect((await start()).run.number).toBe(202)
  })

  it('start in no archived repository', async () => {
    const { start, begin, run } = await makeRun([planned('build')])
    await site.db
      .updateTable('repositories')
      .set({ archived_at: new Date() })
      .where('id', '=', run.repository_id)
      .execute()
    await expect(start()).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(begin('build')).rejects.toMatchObject({ kind: 'forbidden' })
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
