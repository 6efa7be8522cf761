import type { KyselyPlugin } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { hubOf, type Signal } from '@/server/events'
import { planned } from '@/testing/actions'
import { giveJob, makeRunnerRow, startQueuedRun } from '@/testing/assigned'
import { useSite } from '@/testing/site'
import { cancelRun } from './cancel-run'
import { changeRun, inRunQueue } from './change-run'
import { findTask } from './job-store'
import { reportTask, type StepReport, type TaskReport } from './report'

const site = useSite()

async function take(jobs = [planned('build')], options: Parameters<typeof giveJob>[3] = {}) {
  const run = await startQueuedRun(site, jobs)
  const runnerId = await makeRunnerRow(site)
  const task = await giveJob(run, 'build', runnerId, options)
  return {
    run,
    runnerId,
    task,
    report: (change: Partial<TaskReport> = {}, by = runnerId) =>
      reportTask(run.ctx, by, { taskId: task.id, conclusion: null, steps: [], outputs: {}, ...change }),
    stored: async () => await findTask(site.db, run.repository.id, task.id),
    outputs: () => outputsOf(task.job_id),
  }
}

const outputsOf = (jobId: number) =>
  site.db
    .selectFrom('workflow_job_outputs')
    .select(['name', 'value'])
    .where('job_id', '=', jobId)
    .orderBy('name')
    .execute()

const step = (id: number, change: Partial<StepReport> = {}): StepReport => ({
  id,
  conclusion: null,
  startedAt: null,
  completedAt: null,
  logIndex: 0,
  logLength: 0,
  ...change,
})

describe('a report of a runner', () => {
  it('acknowledges the task the first time and marks the runner as busy', async () => {
    const { report, stored } = await take()
    expect((await stored())?.acknowledged_at).toBeNull()
    expect(await report()).toEqual({ conclusion: null, sentOutputs: [] })
    const first = await stored()
    expect(first?.acknowledged_at).toBeInstanceOf(Date)
    site.now.set(new Date(Date.now() + 5_000))
    await report()
    site.now.set(undefined)
    const later = await stored()
    expect(later?.acknowledged_at).toEqual(first?.acknowledged_at)
    expect(Number(later?.reported_at)).toBeGreaterThan(Number(first?.reported_at))
  })

  it('without news is not stored again within two seconds', async () => {
    const { report, stored } = await take()
    await report()
    const first = await stored()
    await report()
    expect((await stored())?.reported_at).toEqual(first?.reported_at)
  })

  it('completes the job, with the steps as they were reported', async () => {
    const { run, report, stored } = await take([planned('build'), planned('test', { needs: ['build'] })], {
      steps: ['Run make', 'Deploy', 'Clean up'],
    })
    const startedAt = new Date('2026-01-01T00:00:00Z')
    const done = step(0, {
      conclusion: 'success',
      startedAt,
      completedAt: startedAt,
      logIndex: 2,
      logLength: 5,
    })
    await report({ steps: [done, step(1, { startedAt })] })
    expect((await stored())?.steps).toMatchObject([
      { name: 'Run make', status: 'completed', conclusion: 'success', log_index: 2, log_length: 5 },
      { name: 'Deploy', status: 'in_progress', conclusion: null, started_at: '2026-01-01T00:00:00.000Z' },
      { name: 'Clean up', status: 'queued' },
    ])
    expect((await report({ conclusion: 'success', steps: [done] })).conclusion).toBe('success')
    expect(await run.states()).toBe('in_progress success queued')
    expect((await stored())?.status).toBe('ended')
  })

  it('can be repeated after the task has ended: the stored result is returned, whatever the report says', async () => {
    const { run, report } = await take()
    expect((await report({ conclusion: 'failure' })).conclusion).toBe('failure')
    expect((await report({ conclusion: 'success' })).conclusion).toBe('failure')
    expect((await report()).conclusion).toBe('failure')
    expect(await run.states()).toBe('failure failure')
  })

  it('about a task that does not exist is answered as canceled, which stops the runner', async () => {
    const { run, runnerId } = await take()
    const report = { taskId: 2 ** 40, conclusion: null, steps: [], outputs: { key: 'value' } }
    expect(await reportTask(run.ctx, runnerId, report)).toEqual({
      conclusion: 'cancelled',
      sentOutputs: ['key'],
    })
  })

  it('about a run that is deleted concurrently is answered as canceled', async () => {
    const { run, runnerId, task } = await take()
    let isRead = false
    const spy: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        isRead = true
        return result
      },
    }
    const ctx = { ...run.ctx, db: site.db.withPlugin(spy) }
    const report = { taskId: task.id, conclusion: null, steps: [], outputs: { key: 'value' } }
    const answer = await inRunQueue(site.db, task.run_id, async () => {
      const pending = reportTask(ctx, runnerId, report)
      await vi.waitFor(() => expect(isRead).toBe(true))
      await site.db.deleteFrom('workflow_runs').where('id', '=', task.run_id).execute()
      return { pending }
    })
    expect((await answer.pending).conclusion).toBe('cancelled')
  })

  it("about another runner's task is answered like one about a deleted task, and changes nothing", async () => {
    const { report, stored } = await take()
    const other = await makeRunnerRow(site)
    const answer = await report({ conclusion: 'success', outputs: { key: 'value' } }, other)
    expect(answer).toEqual({ conclusion: 'cancelled', sentOutputs: ['key'] })
    expect((await stored())?.status).toBe('running')
  })

  it('that ends the task of an ephemeral runner retires the runner and sends a notification', async () => {
    const heard: Signal[] = []
    const stop = hubOf(site.db).listen(signals => heard.push(...signals))
    const run = await startQueuedRun(site, [planned('build')])
    const runnerId = await makeRunnerRow(site, { is_ephemeral: true })
    const { id: taskId } = await giveJob(run, 'build', runnerId)
    const retired = async () =>
      (
        await site.db
          .selectFrom('runners')
          .select('retired_at')
          .where('id', '=', runnerId)
          .executeTakeFirstOrThrow()
      ).retired_at
    await reportTask(run.ctx, runnerId, { taskId, conclusion: null, steps: [], outputs: {} })
    expect(await retired()).toBeNull()
    await reportTask(run.ctx, runnerId, { taskId, conclusion: 'success', steps: [], outputs: {} })
    expect(await retired()).toBeInstanceOf(Date)
    stop()
    expect(heard).toContainEqual(expect.objectContaining({ kind: 'runner.changed', runnerId }))
    const events = await site.db
      .selectFrom('events')
      .select('data')
      .where('kind', '=', 'runner.deleted')
      .execute()
    expect(events).toContainEqual({ data: { runnerId, name: 'robin', repositoryId: null } })
  })
})

describe('outputs of a job', () => {
  it('are stored once per name, and all names are confirmed every time', async () => {
    const { report, outputs } = await take()
    expect((await report({ outputs: { url: 'a' } })).sentOutputs).toEqual(['url'])
    const { sentOutputs } = await report({ outputs: { url: 'b', size: '1' }, conclusion: 'success' })
    expect(sentOutputs.sort()).toEqual(['size', 'url'])
    expect((await report()).sentOutputs.sort()).toEqual(['size', 'url'])
    expect(await outputs()).toEqual([
      { name: 'size', value: '1' },
      { name: 'url', value: 'a' },
    ])
  })

  it('with names over 255 characters or over 1 MiB in total are refused, but confirmed like the others', async () => {
    const { report, outputs } = await take()
    const sent = {
      [`n${'x'.repeat(255)}`]: '',
      big: 'x'.repeat(1024 * 1024),
      nul: 'a\0b',
      constructor: 'c',
    }
    expect((await report({ outputs: sent })).sentOutputs.sort()).toEqual(Object.keys(sent).sort())
    expect(await outputs()).toEqual([
      { name: 'constructor', value: 'c' },
      { name: 'nul', value: 'ab' },
    ])
    const many = Object.fromEntries(
      Array.from({ length: 17 }, (_, index) => [`o${index}`, 'x'.repeat(64 * 1024)]),
    )
    expect((await report({ outputs: many })).sentOutputs).toHaveLength(17 + Object.keys(sent).length - 2)
    expect(await outputs()).toHaveLength(2 + 15)
    await report({
      outputs: Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`n${index}`, ''])),
    })
    expect(await outputs()).toHaveLength(500)
  })

  it('are limited to 50 MiB for all jobs of an attempt, both during a job and at its end', async () => {
    const { run, report, outputs, runnerId } = await take([planned('build'), planned('last')])
    await site.db
      .updateTable('workflow_jobs')
      .set({ output_bytes: 50 * 1024 * 1024 - 10 })
      .where('id', '=', (await run.job('last')).id)
      .execute()
    await report({ outputs: { a: '1234', b: '12345' } })
    await report({ outputs: { c: '1234', d: '1' }, conclusion: 'success' })
    expect(await outputs()).toEqual([
      { name: 'a', value: '1234' },
      { name: 'c', value: '1234' },
    ])
    const { id: taskId } = await giveJob(run, 'last', runnerId)
    await reportTask(run.ctx, runnerId, { taskId, conclusion: 'success', steps: [], outputs: { e: '' } })
    expect(await outputsOf((await run.job('last')).id)).toEqual([])
  })

  it('are available to the conditions of the jobs that need them', async () => {
    const needs = ['build']
    const { run, report } = await take([
      planned('build'),
      planned('deploy', { needs, condition: "needs.build.outputs.changed == 'yes'" }),
      planned('skip', { needs, condition: "needs.build.outputs.changed == 'no'" }),
    ])
    await report({ outputs: { changed: 'yes' }, conclusion: 'success' })
    expect(await run.states()).toBe('in_progress success queued skipped')
  })
})

describe('a task that is being canceled', () => {
  it('is answered as canceled until it ends, and is recorded as canceled whatever the runner reports', async () => {
    const { run, report, stored } = await take()
    await report()
    await cancelRun(run.ctx, await run.found())
    expect((await stored())?.status).toBe('cancelling')
    expect((await report()).conclusion).toBe('cancelled')
    expect((await report({ conclusion: 'success' })).conclusion).toBe('cancelled')
    expect(await run.states()).toBe('cancelled cancelled')
  })
})

it('a change of a run that has started to use concurrency groups is made once, with what they need locked', async () => {
  const { ctx, found, repository } = await startQueuedRun(site, [planned('build')])
  const { run } = await found()
  await site.db.updateTable('workflow_runs').set({ uses_groups: true }).where('id', '=', run.id).execute()
  const change = vi.fn().mockResolvedValue('changed')
  const target = { repository, run: { id: run.id, uses_groups: false } }
  expect(await changeRun(ctx, target, change)).toBe('changed')
  expect(change.mock.calls.map(([_, { uses_groups }]) => uses_groups)).toEqual([true])
})
