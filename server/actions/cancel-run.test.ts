import { expect, it } from 'vitest'
import { planned } from '@/testing/actions'
import { giveJob, makeRunnerRow, startQueuedRun } from '@/testing/assigned'
import { useSite } from '@/testing/site'
import { rerun } from './attempts'
import { cancelRun } from './cancel-run'
import { reportTask } from './report'

const site = useSite()

it('canceling a run completes its jobs that have not started, and the run, as canceled', async () => {
  const run = await startQueuedRun(site, [planned('build'), planned('test', { needs: ['build'] })])
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('cancelled cancelled cancelled')
  expect((await run.job('test')).end_reason).toBe('cancelled')
})

it('a cancellation does not wait for a runner that cannot be asked to stop or that is silent', async () => {
  const run = await startQueuedRun(site, [planned('old'), planned('silent'), planned('able')])
  const runner = await makeRunnerRow(site)
  site.now.set(new Date(Date.now() - 61_000))
  await giveJob(run, 'silent', runner)
  site.now.set(undefined)
  await giveJob(run, 'old', runner, { canCancel: false })
  const { id } = await giveJob(run, 'able', runner)
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('in_progress cancelled cancelled in_progress')
  await reportTask(run.ctx, runner, { taskId: id, conclusion: 'failure', steps: [], outputs: {} })
  expect(await run.states()).toBe('cancelled cancelled cancelled cancelled')
})

it('a cancellation stops running, queued and waiting jobs whose condition is no longer met', async () => {
  const condition = '!cancelled()'
  const run = await startQueuedRun(site, [
    planned('running', { condition }),
    planned('queued', { condition: 'success() || !cancelled()' }),
    planned('waiting', { condition, needs: ['queued'] }),
    planned('text', { condition: "contains(github.ref, 'always()') || success()" }),
    planned('failed', { condition: 'always() && failure()' }),
    planned('clean', { condition: "always() && github.ref != 'x'" }),
  ])
  const runner = await makeRunnerRow(site)
  const { id: taskId } = await giveJob(run, 'running', runner)
  await giveJob(run, 'clean', runner)
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('in_progress in_progress cancelled cancelled cancelled skipped in_progress')
  const report = { taskId, conclusion: null, steps: [], outputs: {} }
  expect((await reportTask(run.ctx, runner, report)).conclusion).toBe('cancelled')
})

it('after a cancellation, a job is decided on once the jobs that it needs and that continue have completed', async () => {
  const run = await startQueuedRun(site, [
    planned('build'),
    planned('pack', { condition: 'always()' }),
    planned('clean', { needs: ['build'], condition: 'cancelled()' }),
    planned('after', { needs: ['pack'], condition: "always() && needs.pack.result == 'success'" }),
    planned('ship', { needs: ['pack'], condition: "success() && needs.pack.result == 'success'" }),
    planned('never', { needs: ['pack'], condition: '!cancelled()' }),
  ])
  const runner = await makeRunnerRow(site)
  const end = async (key: string) => {
    const { id: taskId } = await giveJob(run, key, runner)
    await reportTask(run.ctx, runner, { taskId, conclusion: 'success', steps: [], outputs: {} })
  }
  await end('build')
  expect(await run.states()).toBe('in_progress success queued skipped waiting waiting waiting')
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('in_progress success queued skipped waiting cancelled cancelled')
  await end('pack')
  expect(await run.states()).toBe('in_progress success success skipped queued cancelled cancelled')
})

it('a cleanup job starts after a cancellation, even if a job that it needs had succeeded', async () => {
  const run = await startQueuedRun(site, [
    planned('build'),
    planned('test'),
    planned('clean', { needs: ['build', 'test'], condition: 'cancelled()' }),
  ])
  const runner = await makeRunnerRow(site)
  const { id: taskId } = await giveJob(run, 'build', runner)
  await reportTask(run.ctx, runner, { taskId, conclusion: 'success', steps: [], outputs: {} })
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('in_progress success cancelled queued')
})

it('canceling again while a runner is stopping cancels no job that is meant to continue', async () => {
  site.now.set(new Date(Date.now() - 10_000))
  const run = await startQueuedRun(site, [
    planned('build'),
    planned('clean', { needs: ['build'], condition: 'always()' }),
  ])
  const runner = await makeRunnerRow(site)
  await giveJob(run, 'build', runner)
  await cancelRun(run.ctx, await run.found())
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('in_progress in_progress waiting')
  site.now.set(new Date(Date.now() + 60_000))
  await cancelRun(run.ctx, await run.found())
  site.now.set(undefined)
  expect(await run.states()).toBe('in_progress cancelled queued')
})

it('rerunning a canceled run starts an attempt that is not canceled', async () => {
  const run = await startQueuedRun(site, [planned('build', { condition: '!cancelled()' })])
  await cancelRun(run.ctx, await run.found())
  await rerun(run.ctx, await run.found())
  expect(await run.states()).toBe('queued queued')
})

it('jobs with `always()` run after a canceled job, until the run is canceled again', async () => {
  const needs = ['build']
  const run = await startQueuedRun(site, [
    planned('build'),
    planned('report', { needs, condition: 'always()' }),
    planned('unless', { needs, condition: '!cancelled()' }),
    planned('ship', { needs }),
  ])
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('queued cancelled queued cancelled cancelled')
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('cancelled cancelled cancelled cancelled cancelled')
})

it('canceling a completed run is a conflict', async () => {
  const run = await startQueuedRun(site, [planned('build')])
  await cancelRun(run.ctx, await run.found())
  await expect(run.found().then(found => cancelRun(run.ctx, found))).rejects.toMatchObject({
    kind: 'conflict',
  })
})
