import { expect, it } from 'vitest'
import type { Group } from '@/db/tables/workflow-templates'
import { makeRepository } from '@/db/testing/factories'
import { contextOf, planned } from '@/testing/actions'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { explainGroup } from './explain-group'
import { loadActions } from './load'
import { showRunPage } from './runs/browse'
import type { RunPageAnswer } from './runs/schema'
import { startRun } from './start-run'
import { waitingJob } from './workflow/first-jobs'

const site = useSite()

async function makeTarget() {
  const ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id)
  const ctx = contextOf(site, ada)
  const path = { owner: ada.name, repo: repository.name }
  const found = await loadActions(ctx, path, 'write')
  return {
    /** Starts a run that asks for a group, if one is given, with these jobs. */
    async start(concurrency: Group | null, jobs = [planned('build')]) {
      const started = await startRun(ctx, found, {
        title: 'Test',
        workflow_path: 'test.yml',
        workflow_name: 'Test',
        event: 'push',
        ref: 'refs/heads/main',
        sha: '',
        document: 'on: push\njobs: { build: { runs-on: ubuntu-latest, steps: [{ run: make }] } }',
        context: {},
        concurrency,
        jobs: jobs.map(waitingJob),
      })
      return { id: started.run.id, jobs: started.jobs }
    },
    pageOf: ({ id }: { id: number }): Promise<RunPageAnswer> => showRunPage(ctx, { ...path, run: id }),
  }
}

const group = (name: string, rest: Partial<Group> = {}): Group => ({
  name,
  cancels: false,
  queues: false,
  ...rest,
})

it('the page of a run that another one replaced in its group says which one, whatever the case of the name', async () => {
  const { start, pageOf } = await makeTarget()
  const [first, second, third] = [
    await start(group('live')),
    await start(group('live')),
    await start(group('Live')),
  ]
  const by = { id: third.id, number: 3 }
  expect((await pageOf(second)).lost_group).toEqual({ group: 'live', how: 'replaced', by })
  expect((await pageOf(first)).lost_group).toBeNull()
  expect((await pageOf(third)).lost_group).toBeNull()
})

it('the page of a run that was canceled for another one says which one, also after that was deleted', async () => {
  const { start, pageOf } = await makeTarget()
  const first = await start(group('live'))
  const { id } = await start(group('live', { cancels: true }))
  expect((await pageOf(first)).lost_group).toMatchObject({ how: 'superseded', by: { id, number: 2 } })
  await site.db.deleteFrom('workflow_runs').where('id', '=', id).execute()
  expect((await pageOf(first)).lost_group).toMatchObject({ by: { id: null, number: 2 } })
})

it('a job that waits for a group is told which job or run has it', async () => {
  const { start } = await makeTarget()
  const job = (key: string, position: number) => planned(key, { position, concurrency: group('live') })
  const first = await start(null, [job('a', 0), job('b', 1)])
  const explained = first.jobs.map(each => explainGroup(site.db, each))
  expect(await Promise.all(explained)).toEqual([
    undefined,
    'The concurrency group live is in use by a of this run.',
  ])
  const second = await start(group('live'))
  const [waiting] = second.jobs
  expect(waiting && (await explainGroup(site.db, waiting))).toBe(
    'The concurrency group live is in use by a of run #1.',
  )
})
