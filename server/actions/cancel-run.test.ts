import { expect, it } from 'vitest'
import { planned } from '@/testing/actions'
import { giveJob, makeRunnerRow, startQueuedRun } from '@/testing/assigned'
import { useSite } from '@/testing/site'
import { cancelRun } from './cancel-run'
import { reportTask } from './report'

const site = useSite()

it('jobs that have not begun end as cancelled, and the run with them', async () => {
  const run = await startQueuedRun(site, [planned('build'), planned('test', { needs: ['build'] })])
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('cancelled cancelled cancelled')
  expect((await run.job('test')).end_reason).toBe('cancelled')
})

it('a runner that cannot be asked to stop, or is silent, is not waited for', async () => {
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

it('jobs that are to run after a cancelled one still do, until the run is cancelled again', async () => {
  const needs = ['build']
  const run = await startQueuedRun(site, [
    planned('build'),
    planned('report', { needs, condition: 'always()' }),
    planned('unless', { needs, condition: '!cancelled()' }),
    planned('ship', { needs }),
  ])
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('queued cancelled queued skipped cancelled')
  await cancelRun(run.ctx, await run.found())
  expect(await run.states()).toBe('cancelled cancelled cancelled skipped cancelled')
})

it('a run that has completed is not cancelled', async () => {
  const run = await startQueuedRun(site, [planned('build')])
  await cancelRun(run.ctx, await run.found())
  await expect(run.found().then(found => cancelRun(run.ctx, found))).rejects.toMatchObject({
    kind: 'conflict',
  })
})
