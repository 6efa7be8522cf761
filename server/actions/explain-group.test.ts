import { expect, it } from 'vitest'
import type { Group } from '@/db/tables/workflow-templates'
import { makeRepository } from '@/db/testing/factories'
import { contextOf, planned } from '@/testing/actions'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { loadActions } from './load'
import { showRunPage } from './runs/browse'
import type { RunPageAnswer } from './runs/schema'
import { startRun } from './start-run'
import { waitingJob } from './workflow/first-jobs'

const site = useSite()

/** Starts runs one after the other that ask for a group, and returns a function that reads their pages. */
async function startInGroup(...groups: (Group | null)[]) {
  const ada = await makePerson(site)
  const repository = await makeRepository(site.db, ada.account.id)
  const ctx = contextOf(site, ada)
  const path = { owner: ada.name, repo: repository.name }
  const found = await loadActions(ctx, path, 'write')
  const ids: number[] = []
  for (const concurrency of groups) {
    const { run } = await startRun(ctx, found, {
      title: 'Test',
      workflow_path: 'test.yml',
      workflow_name: 'Test',
      event: 'push',
      ref: 'refs/heads/main',
      sha: '',
      document: 'on: push\njobs: { build: { runs-on: ubuntu-latest, steps: [{ run: make }] } }',
      context: {},
      concurrency,
      jobs: [waitingJob(planned('build'))],
    })
    ids.push(run.id)
  }
  const pageOf = (number: number): Promise<RunPageAnswer> =>
    showRunPage(ctx, { ...path, run: ids[number - 1] ?? 0 })
  return { ids, pageOf }
}

const group = (name: string, rest: Partial<Group> = {}): Group => ({
  name,
  cancels: false,
  queues: false,
  ...rest,
})

it('the page of a run that another one replaced in its group says which one, whatever the case of the name', async () => {
  const { ids, pageOf } = await startInGroup(group('live'), group('live'), group('Live'))
  expect((await pageOf(2)).lost_group).toEqual({
    group: 'live',
    how: 'replaced',
    by: { id: ids[2], number: 3 },
  })
  expect((await pageOf(1)).lost_group).toBeNull()
  expect((await pageOf(3)).lost_group).toBeNull()
})

it('the page of a run that was canceled for another one says which one, also after that was deleted', async () => {
  const { ids, pageOf } = await startInGroup(group('live'), group('live', { cancels: true }))
  expect((await pageOf(1)).lost_group).toMatchObject({ how: 'superseded', by: { id: ids[1], number: 2 } })
  await site.db
    .deleteFrom('workflow_runs')
    .where('id', '=', ids[1] ?? 0)
    .execute()
  expect((await pageOf(1)).lost_group).toMatchObject({ by: { id: null, number: 2 } })
})
