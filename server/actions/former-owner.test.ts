import { describe, expect, it } from 'vitest'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { createRelease } from '@/server/releases/create'
import { loadReleases } from '@/server/releases/load'
import { fetchTask } from '@/server/runners'
import { prepareContent } from '@/server/runners/assign/content'
import { jobContext } from '@/server/services'
import { switchWorkflow } from '@/server/triggers/workflows'
import { contextOf, createTestRun, jobCtx, type Planned, planned, startPlanned } from '@/testing/actions'
import { giveJob, makeRunnerRow, startQueuedRun } from '@/testing/assigned'
import { makePerson, type Person } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { useSite } from '@/testing/site'
import { assignJobs } from './assign-jobs'
import { rerun } from './attempts'
import { cancelRun, cancelRunsOfFormerOwners } from './cancel-run'
import { loadActions, loadJob, loadRun } from './load'
import { startTask } from './tasks'

const site = useSite()

/** A run of ada's with one queued job, in a repository that bob can be given. */
async function setUp() {
  const bob = await makePerson(site)
  const run = await startQueuedRun(site, [planned('build')])
  const found = await run.found()
  const { id, name } = run.repository
  return {
    run,
    bob,
    found,
    give: (to: Person) =>
      site.db.updateTable('repositories').set({ owner_id: to.account.id }).where('id', '=', id).execute(),
    byBob: contextOf(site, bob),
    bobsRun: () => loadRun(contextOf(site, bob), { owner: bob.name, repo: name, run: found.run.id }, 'write'),
  }
}

async function runnerOf(person: Person) {
  const { runner } = await makeRunner(site, person, { capabilities: ['cancelling'] })
  const { id: runnerId, owner_id: ownerId } = runner
  const ctx: RunnerCtx = {
    ...jobContext(site.services, 'test'),
    caller: { kind: 'runner', runnerId, ownerId, repositoryId: null },
  }
  return () => fetchTask(ctx, { holdMs: 0 })
}

const plan: Planned = {
  title: 'Late',
  workflow_path: 'late.yml',
  workflow_name: 'Late',
  event: 'workflow_dispatch',
  ref: '',
  sha: '',
  document: '',
  context: {},
  jobs: [planned('late')],
}

const notFound = { kind: 'notFound' }

describe('a run whose repository was transferred', () => {
  it('is not assigned to any runner, of either the new or the former owner', async () => {
    const { run, bob, give } = await setUp()
    const runners = [await runnerOf(run.ada), await runnerOf(bob)]
    await give(bob)
    for (const fetch of runners) expect(await fetch()).toBeUndefined()
    await give(run.ada)
    expect(await run.states()).toBe('queued queued')
    expect(await runners[0]?.()).toBeDefined()
  })

  it('is not assigned to a runner that was matched before the transfer', async () => {
    const { run, bob, give } = await setUp()
    const { id, run_id, repository_id } = await run.job('build')
    const taker = { id: await makeRunnerRow(site), name: 'robin', canCancel: true, steps: [] }
    await give(bob)
    for (const owner_id of [run.ada.account.id, bob.account.id]) {
      const offer = { run_id, repository_id, owner_id, jobIds: [id] }
      expect(await assignJobs(run.ctx, offer, async () => new Map([[id, taker]]))).toEqual([])
    }
  })

  it('is not sent again to a runner that has not acknowledged its task', async () => {
    const { run, bob, give } = await setUp()
    const fetch = await runnerOf(run.ada)
    expect(await fetch()).toBeDefined()
    await give(bob)
    expect(await fetch()).toBeUndefined()
  })

  it('gets the variables of the owner that it was started under', async () => {
    const { run, bob, found, give } = await setUp()
    const task = await giveJob(run, 'build', await makeRunnerRow(site))
    const job = await run.job('build')
    for (const { account, name } of [run.ada, bob]) {
      const row = { owner_id: account.id, is_secret: false, name: 'OWNER', value: name }
      await site.db.insertInto('workflow_variables').values(row).execute()
    }
    const content = await prepareContent(jobContext(site.services, 'test'), found.run.id)
    await give(bob)
    const late = { repository_id: run.repository.id, is_secret: false, name: 'OWNER', value: 'of repository' }
    await site.db.insertInto('workflow_variables').values(late).execute()
    const labels = { labels: [], declared_labels: [], labels_edited: false }
    expect(await content?.of(task, job, labels)).toMatchObject({ vars: { OWNER: run.ada.name } })
    expect(await prepareContent(jobContext(site.services, 'test'), found.run.id)).toBeUndefined()
  })

  it('has no job that can be started manually, and the tokens of its jobs are refused', async () => {
    const { run, bob, give, byBob } = await setUp()
    const names = { owner: run.ada.name, repo: run.repository.name }
    const { id: job_id } = await run.job('build')
    const before = await loadJob(run.ctx, { ...names, job_id }, 'write')
    const { jobs } = await createTestRun(site, { alongside: { ada: run.ada, repository: run.repository } })
    expect(await jobCtx(site, jobs[0])).toMatchObject({ caller: { kind: 'job' } })
    await give(bob)
    await expect(startTask(run.ctx, before)).rejects.toMatchObject(notFound)
    const after = await loadJob(byBob, { ...names, owner: bob.name, job_id }, 'write')
    await expect(startTask(byBob, after)).rejects.toMatchObject(notFound)
    await expect(jobCtx(site, jobs[0])).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  it('is canceled even if it was started last, while runs of the new owner continue', async () => {
    const { run, bob, give, byBob, bobsRun } = await setUp()
    await give(bob)
    const names = { owner: bob.name, repo: run.repository.name }
    const { run: own } = await startPlanned(byBob, await loadActions(byBob, names, 'write'), plan)
    const { repository } = await bobsRun()
    await cancelRunsOfFormerOwners(byBob, repository)
    expect((await bobsRun()).run.conclusion).toBe('cancelled')
    expect((await loadRun(byBob, { ...names, run: own.id }, 'read')).run.status).toBe('queued')
  })

  it('can be rerun by the new owner as a run of theirs', async () => {
    const { run, found, bob, give, byBob, bobsRun } = await setUp()
    await cancelRun(run.ctx, found)
    await give(bob)
    expect(await rerun(byBob, await bobsRun())).toMatchObject({ owner_id: bob.account.id })
    expect(await (await runnerOf(bob))()).toBeDefined()
  })
})

describe('a permission that the former owner got before the transfer', () => {
  it('does not let them start or rerun a run afterward', async () => {
    const { run, bob, found, give, bobsRun } = await setUp()
    await cancelRun(run.ctx, found)
    const allowed = await run.found()
    await give(bob)
    await expect(startPlanned(run.ctx, allowed, plan)).rejects.toMatchObject(notFound)
    await expect(rerun(run.ctx, allowed)).rejects.toMatchObject(notFound)
    expect((await bobsRun()).run).toMatchObject({ attempt: 1, conclusion: 'cancelled' })
  })

  it('does not let them enable a workflow or publish a release afterward', async () => {
    const { run, bob, give } = await setUp()
    const { id: repository_id, name: repo } = run.repository
    await site.db.insertInto('disabled_workflows').values({ repository_id, file: 'ci.yml' }).execute()
    await site.db
      .updateTable('repositories')
      .set({ is_empty: false })
      .where('id', '=', repository_id)
      .execute()
    const names = { owner: run.ada.name, repo }
    const actions = await loadActions(run.ctx, names, 'write')
    const releases = await loadReleases(run.ctx, names, 'write')
    await give(bob)
    const enable = switchWorkflow(run.ctx, actions, { workflow_id: 'ci.yml', enabled: true })
    await expect(enable).rejects.toMatchObject(notFound)
    const publish = createRelease(run.ctx, releases, { tag_name: 'v1', name: 'One', draft: true } as never)
    await expect(publish).rejects.toMatchObject(notFound)
  })
})
