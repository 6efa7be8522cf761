import { expect, it } from 'vitest'
import { fetchTask } from '@/server/runners'
import { loadScope } from '@/server/scopes'
import { jobContext } from '@/server/services'
import { planned } from '@/testing/actions'
import { startQueuedRun } from '@/testing/assigned'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import { loadRunner } from '../load'
import { browseRunners } from './browse'
import { previewLabels } from './preview-labels'

const site = useSite()
const own = { kind: 'own' } as const

it('a runner is shown with its state in one word, its owner, and the jobs that it is running', async () => {
  const run = await startQueuedRun(site, [planned('build')])
  const { ctx, ada } = run
  const repo = { kind: 'repository', owner: ada.name, repo: run.repository.name } as const
  const { runner } = await makeRunner(site, ada, { scope: repo })
  const { id: runnerId, owner_id: ownerId, repository_id: repositoryId } = runner
  const shown = async () => {
    const page = await browseRunners(ctx, await loadScope(ctx, repo), { page: 1, limit: 10 })
    return page.items[0]
  }
  const set = (columns: object) =>
    site.db.updateTable('runners').set(columns).where('id', '=', runnerId).execute()
  expect(await shown()).toMatchObject({
    state: 'never',
    owner: `${ada.name}/${run.repository.name}`,
    paused_by: null,
    jobs: [],
  })
  await set({ last_online_at: new Date() })
  expect((await shown())?.state).toBe('idle')
  const caller = { kind: 'runner', runnerId, ownerId, repositoryId } as const
  await fetchTask({ ...jobContext(site.services, 'test'), caller }, { holdMs: 0 })
  expect(await shown()).toMatchObject({
    state: 'busy',
    jobs: [{ name: 'build', repository: `${ada.name}/${run.repository.name}` }],
  })
  await set({ last_online_at: new Date(Date.now() - 61_000) })
  expect((await shown())?.state).toBe('offline')
  await set({ disabled_at: new Date(), disabled_by: ada.account.id, disabled_note: 'new disk' })
  expect(await shown()).toMatchObject({ state: 'paused', paused_by: ada.name, note: 'new disk' })
})

it('previewing labels shows which waiting jobs the runner would gain and lose', async () => {
  const { ctx, ada } = await startQueuedRun(site, [
    planned('one', { labels: ['linux'] }),
    planned('two', { labels: ['linux'] }),
    planned('three', { labels: ['gpu'] }),
    planned('four', { labels: ['mac'] }),
    planned('any', { labels: [] }),
  ])
  const { runner } = await makeRunner(site, ada, { labels: ['linux'] })
  const found = await loadRunner(ctx, own, runner.id)
  const oldest_queued_at = expect.stringMatching(/^20/)
  expect(await previewLabels(ctx, found, ['gpu', 'x64'])).toEqual({
    before: 3,
    after: 2,
    changes: expect.arrayContaining([
      { labels: ['linux'], count: 2, oldest_queued_at, change: 'lost' },
      { labels: ['gpu'], count: 1, oldest_queued_at, change: 'gained' },
    ]),
  })
  await expect(previewLabels(ctx, found, ['x'.repeat(300)])).rejects.toMatchObject({ kind: 'invalid' })
})
