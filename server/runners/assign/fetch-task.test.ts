import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { cancelRun } from '@/server/actions/cancel-run'
import { reportTask } from '@/server/actions/report'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { jobContext } from '@/server/services'
import { planned } from '@/testing/actions'
import { type QueuedRun, startQueuedRun } from '@/testing/assigned'
import { makePerson, type Person } from '@/testing/people'
import { makeRunner } from '@/testing/runners'
import { series } from '@/testing/series'
import { useSite } from '@/testing/site'
import { announceRunner } from '../record'
import type { RegisteredRunner } from '../register'
import { type FetchOptions, fetchTask } from './fetch-task'

const many = series(40, 200)

const site = useSite()

type Options = Parameters<typeof makeRunner>[2]

/** A runner of a person, and what it does. */
async function runnerOf(person: Person, options: Options = {}) {
  const { runner } = await makeRunner(site, person, { capabilities: ['cancelling'], ...options })
  return asRunner(runner)
}

function asRunner(runner: RegisteredRunner['runner']) {
  const { id: runnerId, owner_id: ownerId, repository_id: repositoryId } = runner
  const ctx: RunnerCtx = {
    ...jobContext(site.services, 'test'),
    caller: { kind: 'runner', runnerId, ownerId, repositoryId },
  }
  const report = (taskId: number, conclusion: 'success' | null = null) =>
    reportTask(ctx, runnerId, { taskId, conclusion, steps: [], outputs: {} })
  const change = async (set: { disabled_at?: Date | null; resume_at?: Date | null }) => {
    await site.db.updateTable('runners').set(set).where('id', '=', runnerId).execute()
    announceRunner(site.db, runner)
  }
  return {
    runner,
    report,
    change,
    fetch: (options: FetchOptions = {}) => fetchTask(ctx, { holdMs: 0, ...options }),
    async work(holdMs = 0): Promise<number | undefined> {
      const task = await fetchTask(ctx, { holdMs })
      if (task) await report(task.id, 'success')
      return task?.id
    },
  }
}

async function jobOf(taskId: number | undefined): Promise<string | undefined> {
  const row = await site.db
    .selectFrom('workflow_tasks')
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_tasks.job_id')
    .select('workflow_jobs.job_key')
    .where('workflow_tasks.id', '=', taskId ?? 0)
    .executeTakeFirst()
  return row?.job_key
}

const queue = (run: QueuedRun, jobs: Parameters<typeof startQueuedRun>[1]) => startQueuedRun(site, jobs, run)

describe('a runner', () => {
  it('gets the longest-waiting job among those whose labels it all has', async () => {
    const run = await startQueuedRun(site, [
      planned('mac', { labels: ['macos'] }),
      planned('gpu', { labels: ['linux', 'gpu'] }),
      planned('first', { labels: ['linux'] }),
      planned('any', { labels: [] }),
    ])
    const { work } = await runnerOf(run.ada, { labels: ['x64', 'linux'] })
    expect(await jobOf(await work())).toBe('first')
    expect(await jobOf(await work())).toBe('any')
    expect(await work()).toBeUndefined()
    expect(await run.states()).toBe('in_progress queued queued success success')
  })

  it('of an account, a repository or the site gets only jobs of its scope', async () => {
    const [bob, admin] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const label = `of-${bob.name}`
    const run = await startQueuedRun(
      site,
      [1, 2, 3].map(each => planned(`job${each}`, { labels: [label] })),
    )
    const other = await queue(run, [planned('other', { labels: [label] })])
    const labels = [label]
    const ofBob = await runnerOf(bob, { labels })
    const scope = { kind: 'repository', owner: run.ada.name, repo: other.repository.name } as const
    const ofOther = await runnerOf(run.ada, { labels, scope })
    const ofSite = await runnerOf(admin, { labels, scope: { kind: 'site' } })
    expect(await ofBob.work()).toBeUndefined()
    expect(await jobOf(await ofOther.work())).toBe('other')
    expect(await ofOther.work()).toBeUndefined()
    expect(await jobOf(await ofSite.work())).toBe('job1')
    expect(await jobOf(await (await runnerOf(run.ada, { labels })).work())).toBe('job2')
  })

  it('gets no job of an archived repository', async () => {
    const run = await startQueuedRun(site, [planned('build')])
    const archive = (archived_at: Date | null) =>
      site.db.updateTable('repositories').set({ archived_at }).where('id', '=', run.repository.id).execute()
    const { work } = await runnerOf(run.ada)
    await archive(new Date())
    expect(await work()).toBeUndefined()
    await archive(null)
    expect(await work()).toBeDefined()
  })

  it('is sent the same task again, unchanged, until it reports about it', async () => {
    const run = await startQueuedRun(site, [planned('build'), planned('test')])
    const { fetch, report, runner } = await runnerOf(run.ada)
    const first = await fetch()
    expect(await fetch()).toEqual(first)
    expect(await (await asRunner(runner)).fetch()).toEqual(first)
    await report(first?.id ?? 0)
    expect(await jobOf((await fetch())?.id)).toBe('test')
  })

  it('is not sent a task again that was canceled before its first report', async () => {
    const run = await startQueuedRun(site, [planned('build')])
    const { fetch } = await runnerOf(run.ada)
    await fetch()
    await cancelRun(run.ctx, await run.found())
    expect(await fetch()).toBeUndefined()
  })

  it('that is ephemeral gets only one task: no other one during the task or after it', async () => {
    const run = await startQueuedRun(site, [planned('build'), planned('test')])
    const { fetch, report } = await runnerOf(run.ada, { ephemeral: true })
    const [one, two] = await Promise.all([fetch(), fetch()])
    const id = one?.id ?? two?.id ?? 0
    await report(id)
    expect(await fetch()).toBeUndefined()
    await report(id, 'success')
    expect(await fetch()).toBeUndefined()
    expect(await run.states()).toBe('in_progress success queued')
  })
})

describe('a paused runner', () => {
  it('gets no task until it is enabled or its pause ends, but can finish the one that it has', async () => {
    const run = await startQueuedRun(site, [planned('build'), planned('test'), planned('lint')])
    const { fetch, report, work, change } = await runnerOf(run.ada)
    const task = await fetch()
    await change({ disabled_at: new Date() })
    await report(task?.id ?? 0)
    expect(await work()).toBeUndefined()
    await report(task?.id ?? 0, 'success')
    expect(await work()).toBeUndefined()
    expect(await run.states()).toBe('in_progress success queued queued')
    await change({ resume_at: new Date(Date.now() + 60_000) })
    expect(await work()).toBeUndefined()
    await change({ resume_at: new Date() })
    expect(await work()).toBeDefined()
    await change({ disabled_at: null, resume_at: null })
    expect(await work()).toBeDefined()
  })

  it('that is enabled during a request is assigned a waiting job immediately', async () => {
    const run = await startQueuedRun(site, [planned('build')])
    const { fetch, change } = await runnerOf(run.ada)
    await change({ disabled_at: new Date() })
    const held = fetch({ holdMs: 3_000 })
    const start = performance.now()
    await setTimeout(50)
    await change({ disabled_at: null })
    expect(await held).toBeDefined()
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('a runner that waits', () => {
  it('is assigned a job as soon as it is queued, while the others keep waiting', async () => {
    const run = await startQueuedRun(site, [planned('none', { labels: ['nobody'] })])
    const runners = [await runnerOf(run.ada), await runnerOf(run.ada), await runnerOf(run.ada)]
    const start = performance.now()
    const held = runners.map(({ fetch }) =>
      fetch({ holdMs: 1_500 }).then(task => ({ task, at: performance.now() - start })),
    )
    await setTimeout(100)
    await queue(run, [planned('build')])
    const [first, ...others] = await Promise.all(held)
    expect(await jobOf(first?.task?.id)).toBe('build')
    expect(first?.at).toBeLessThan(1_000)
    for (const other of others)
      expect(other).toEqual({ task: undefined, at: expect.toSatisfy(ms => ms > 1_400) })
  })

  it('is assigned a job once the job that it needs has completed', async () => {
    const run = await startQueuedRun(site, [planned('build'), planned('test', { needs: ['build'] })])
    const [one, two] = [await runnerOf(run.ada), await runnerOf(run.ada)]
    const task = await one.fetch()
    const held = two.fetch({ holdMs: 3_000 })
    await setTimeout(50)
    await one.report(task?.id ?? 0, 'success')
    expect(await jobOf((await held)?.id)).toBe('test')
  })

  it('gets an immediate response to further requests, and the job in its first request', async () => {
    const run = await startQueuedRun(site, [planned('none', { labels: ['nobody'] })])
    const { fetch } = await runnerOf(run.ada)
    const held = fetch({ holdMs: 3_000 })
    const start = performance.now()
    const others = await Promise.all(Array.from({ length: 400 }, () => fetch({ holdMs: 3_000 })))
    expect(others.filter(Boolean)).toEqual([])
    expect(performance.now() - start).toBeLessThan(500)
    await queue(run, [planned('build')])
    expect(await jobOf((await held)?.id)).toBe('build')
  })

  it('passes the job on to the next runner if it disconnects', async () => {
    const run = await startQueuedRun(site, [planned('none', { labels: ['nobody'] })])
    const [one, two] = [await runnerOf(run.ada), await runnerOf(run.ada)]
    const disconnected = new AbortController()
    const start = performance.now()
    const held = [one.fetch({ holdMs: 3_000, signal: disconnected.signal }), two.fetch({ holdMs: 3_000 })]
    await setTimeout(50)
    await queue(run, [planned('build')])
    disconnected.abort()
    const [first, second] = await Promise.all(held)
    expect([first, second].filter(Boolean)).toHaveLength(1)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('many runners', () => {
  it(`take ${many} jobs, each exactly once, even if responses are lost`, {
    tags: 'series',
  }, async () => {
    const jobs = Array.from({ length: many }, (_, index) => planned(`job${index}`))
    const run = await startQueuedRun(site, jobs)
    const done: number[] = []
    const drain = async () => {
      const { fetch, report } = await runnerOf(run.ada)
      for (let count = 0; ; count++) {
        const task = await fetch()
        if (!task) return
        // Every third response is lost.
        if (count % 3 === 0) continue
        await report(task.id)
        done.push(task.id)
        await report(task.id, 'success')
      }
    }
    await Promise.all([drain(), drain(), drain()])
    expect(new Set(done).size).toBe(many)
    const states = new Set((await run.states()).split(' '))
    expect([...states]).toEqual(['success'])
    const tasks = await site.db
      .selectFrom('workflow_tasks')
      .select('job_id')
      .where('run_id', '=', (await run.found()).run.id)
      .execute()
    expect(tasks).toHaveLength(many)
    expect(new Set(tasks.map(({ job_id }) => job_id)).size).toBe(many)
  })
})
