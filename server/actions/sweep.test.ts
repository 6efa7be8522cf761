import { afterEach, expect, it } from 'vitest'
import { tooBusy } from '@/server/kernel/errors'
import { forgetSingleton, singleton } from '@/server/kernel/singleton'
import { jobContext } from '@/server/services'
import { planned } from '@/testing/actions'
import { giveJob, makeRunnerRow, type QueuedRun, startQueuedRun } from '@/testing/assigned'
import { useSite } from '@/testing/site'
import { cancelRun } from './cancel-run'
import { findTask } from './job-store'
import { reportTask, type StepReport } from './report'
import { noteHearing, sweepTasks } from './sweep'
import { endTasksOfRunner } from './tasks'

const site = useSite()
const start = Date.now()
const minutes = (count: number) => site.now.set(new Date(start + count * 60_000 + 1))
const sweep = (startedAt = new Date(0)) =>
  sweepTasks(jobContext(site.services, 'test'), { signal: new AbortController().signal, startedAt })
afterEach(() => site.now.set(undefined))

async function take(jobs = [planned('build')]) {
  site.now.set(new Date(start))
  const run = await startQueuedRun(site, jobs)
  const runner = await makeRunnerRow(site)
  const { id } = await giveJob(run, 'build', runner, { steps: ['make', 'make install'] })
  const report = (steps: StepReport[] = []) =>
    reportTask(run.ctx, runner, { taskId: id, conclusion: null, steps, outputs: {} })
  return { run, runner, task: id, report }
}
const calledAt = (runner: number, after: number) =>
  site.db
    .updateTable('runners')
    .set({ last_online_at: new Date(start + after * 60_000) })
    .where('id', '=', runner)
    .execute()
const stateAt = async (run: QueuedRun, after: number) => {
  minutes(after)
  await sweep()
  return await run.states()
}

it('a job fails if its runner is silent for ten minutes', async () => {
  const { run, report } = await take()
  await report()
  expect(await stateAt(run, 9)).toBe('in_progress in_progress')
  expect(await stateAt(run, 10)).toBe('failure failure')
  expect((await run.job('build')).end_reason).toBe('runner_silent')
  expect((await report()).conclusion).toBe('failure')
})

it('the step that runs when its runner falls silent is completed with the job', async () => {
  const { run, task, report } = await take()
  const step = {
    id: 0,
    conclusion: null,
    startedAt: new Date(start),
    completedAt: null,
    logIndex: 0,
    logLength: 0,
  }
  await report([step])
  await stateAt(run, 10)
  const ended = await findTask(site.db, run.repository.id, task)
  expect(ended?.steps).toMatchObject([
    { conclusion: 'failure', completed_at: ended?.ended_at?.toISOString() },
    { conclusion: 'skipped', completed_at: null },
  ])
})

it('a job that its runner does not know returns to the queue at its former place', async () => {
  const { run, runner, report } = await take()
  await calledAt(runner, 1)
  const { queued_at } = await run.job('build')
  expect(await stateAt(run, 1.9)).toBe('in_progress in_progress')
  expect(await stateAt(run, 2)).toBe('in_progress queued')
  expect(await run.job('build')).toMatchObject({ queued_at, started_at: null })
  expect((await report()).conclusion).toBe('cancelled')
})

it('a job that its runner may have started stays assigned for ten minutes of silence', async () => {
  const { run, runner, report } = await take()
  await calledAt(runner, 0)
  expect(await stateAt(run, 9.9)).toBe('in_progress in_progress')
  expect(await stateAt(run, 10)).toBe('in_progress queued')
  expect((await report()).conclusion).toBe('cancelled')
})

it('a job that cannot be ended does not block others', async () => {
  const broken = await take([
    planned('build'),
    planned('next', { needs: ['build'], condition: "inputs.a == 'b'" }),
  ])
  await broken.report()
  const other = await take()
  await other.report()
  const { run } = await broken.run.found()
  await site.db
    .updateTable('workflow_runs')
    .set({ payload: JSON.stringify({ inputs: { a: 'b' } }), inputs: null })
    .where('id', '=', run.id)
    .execute()
  forgetSingleton('workflow-reader')
  singleton('workflow-reader', () => () => Promise.reject(tooBusy()))
  minutes(10)
  await expect(sweep()).rejects.toThrow('jobs could not be ended')
  forgetSingleton('workflow-reader')
  expect(await other.run.states()).toBe('failure failure')
  await site.db.deleteFrom('workflow_runs').where('id', '=', run.id).execute()
})

it('a task may run for three hours', async () => {
  const { run, report } = await take()
  for (let after = 1; after <= 180; after += 9) {
    expect(await stateAt(run, after)).toBe('in_progress in_progress')
    await report()
  }
  expect(await stateAt(run, 180)).toBe('failure failure')
  expect((await run.job('build')).end_reason).toBe('too_long')
})

it('the sweep stops waiting for a runner that is silent for a minute after it was asked to stop', async () => {
  const { run, report } = await take()
  await report()
  minutes(0.5)
  await cancelRun(run.ctx, await run.found())
  expect(await stateAt(run, 1.4)).toBe('in_progress in_progress')
  expect(await stateAt(run, 1.6)).toBe('cancelled cancelled')
})

it('a runner that keeps reporting may take five minutes to stop', async () => {
  const { run, report } = await take()
  await report()
  await cancelRun(run.ctx, await run.found())
  for (let after = 0.5; after < 5; after += 0.5) {
    expect(await stateAt(run, after)).toBe('in_progress in_progress')
    await report()
  }
  expect(await stateAt(run, 5)).toBe('cancelled cancelled')
})

it('a job that no runner takes within a day is canceled, even if other jobs of its run waited for it', async () => {
  site.now.set(new Date(start))
  const run = await startQueuedRun(site, [planned('build'), planned('test', { needs: ['build'] })])
  expect(await stateAt(run, 24 * 60 - 1)).toBe('queued queued waiting')
  expect(await stateAt(run, 24 * 60)).toBe('cancelled cancelled skipped')
  expect((await run.job('build')).end_reason).toBe('not_taken')
})

it('a run that has not ended after 35 days is canceled', async () => {
  site.now.set(new Date(start))
  const run = await startQueuedRun(site, [planned('build'), planned('deploy', { needs: ['build'] })])
  const held = { status: 'waiting', hold: 'concurrency' } as const
  const { id } = await run.job('build')
  await site.db.updateTable('workflow_jobs').set(held).where('id', '=', id).execute()
  expect(await stateAt(run, 35 * 24 * 60 - 1)).toBe('queued waiting waiting')
  expect(await stateAt(run, 35 * 24 * 60 + 1)).toBe('cancelled cancelled cancelled')
  expect((await run.job('build')).end_reason).toBe('too_long')
})

it('jobs of a deleted runner fail, or return to the queue if the runner had not started them', async () => {
  const jobs = [planned('build'), planned('test')]
  const { run, runner, report } = await take(jobs)
  await report()
  await giveJob(run, 'test', runner)
  await endTasksOfRunner(run.ctx, runner)
  expect(await run.states()).toBe('in_progress failure queued')
  expect((await run.job('build')).end_reason).toBe('runner_deleted')
})

it('time before the server started does not count as silence', async () => {
  const { run, report } = await take()
  await report()
  minutes(20)
  await sweep(new Date(start + 15 * 60_000))
  expect(await run.states()).toBe('in_progress in_progress')
  minutes(25.1)
  await sweep(new Date(start + 15 * 60_000))
  expect(await run.states()).toBe('failure failure')
})

it('runners do not count as silent while none of them was heard', async () => {
  const each = [await take(), await take()] as const
  const [first, second] = each
  for (const { report } of each) await report()
  await site.db
    .updateTable('runners')
    .set({ last_online_at: new Date(start) })
    .execute()
  const sweepAt = async (after: number) => {
    minutes(after)
    await sweep(await noteHearing(jobContext(site.services, 'test')))
  }
  for (let after = 2; after <= 12; after++) await sweepAt(after)
  for (const { run } of each) expect(await run.states()).toBe('in_progress in_progress')
  for (let after = 13; after <= 23; after++) {
    await calledAt(first.runner, after)
    await first.report()
    await sweepAt(after)
  }
  expect(await first.run.states()).toBe('in_progress in_progress')
  expect(await second.run.states()).toBe('failure failure')
})
