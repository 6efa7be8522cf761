import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFakeRunner, type FakeRunner, type FakeTask } from '@/testing/fake-runner'
import { series } from '@/testing/series'
import { adminHeaders } from './api'
import { admin, adminEnvironment, dataDirectory, type Guildhall, start, withDatabase } from './guildhall'

const rounds = Number(process.env.GUILDHALL_TEST_KILLS ?? series(1, 5))
const runnerCount = 4
const token = 'a-registration-token-for-the-whole-site'

it(`runs with concurrency groups, matrices from outputs and blocked jobs end properly however often the process is killed (kills: ${rounds})`, {
  tags: 'series',
  timeout: 600_000,
}, async () => {
  await using holder = await dataDirectory()
  const environment = {
    GUILDHALL_DATA_DIR: holder.path,
    ...adminEnvironment,
    GUILDHALL_RUNNER_REGISTRATION_TOKEN: token,
  }
  const lanes: Lane[] = []
  let url: string | undefined
  for (let round = 0; round < rounds; round++) {
    const guildhall = await start(environment, url)
    url = guildhall.url
    if (round === 0) {
      await post(guildhall, '/user/repos', { name: 'tools', auto_init: true }, 201)
      lanes.push(...(await register(guildhall)))
    }
    const killed = new AbortController()
    const working = lanes.map(lane => work(lane, killed.signal))
    const starting = startRuns(guildhall).catch(() => undefined)
    await delay(randomInt(50, 700))
    await guildhall.end('SIGKILL')
    killed.abort()
    await Promise.all([...working, starting])
  }
  const last = await start(environment, url)
  await startRuns(last)
  const left = new AbortController()
  const working = lanes.map(lane => work(lane, left.signal))
  await expect.poll(() => openRuns(last), { timeout: 300_000, interval: 200 }).toBe(0)
  left.abort()
  await Promise.all(working)
  await last.end('SIGTERM')
  await withDatabase({ dataDir: holder.path }, async ({ db }) => {
    expect(await db.selectFrom('concurrency_members').selectAll().execute()).toEqual([])
    const jobs = await db.selectFrom('workflow_jobs').selectAll().execute()
    expect(jobs.filter(({ status, hold }) => status !== 'completed' || hold !== null)).toEqual([])
    const tasks = await db.selectFrom('workflow_tasks').select(['job_id', 'status']).execute()
    expect(tasks.filter(({ status }) => status !== 'ended')).toEqual([])
    expect(new Set(tasks.map(({ job_id }) => job_id)).size).toBe(tasks.length)
    const expanded = jobs.filter(({ job_key, matrix }) => job_key === 'b' && matrix !== null)
    const copies = expanded.map(({ run_id, attempt, matrix }) => JSON.stringify([run_id, attempt, matrix]))
    expect(new Set(copies).size).toBe(copies.length)
  })
})

/**
 * A runner and its current task. The runner outlives the server, and reports about the task again once the
 * server is back.
 */
interface Lane {
  runner: FakeRunner
  task?: (FakeTask & { isLogged: boolean }) | undefined
}

/** Executes tasks until `end` is aborted. Repeats each call until it succeeds. */
async function work(lane: Lane, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await step(lane).catch(() => delay(20))
  }
}

async function step(lane: Lane): Promise<void> {
  if (!lane.task) {
    const task = await lane.runner.fetchTask({ timeoutMs: 1_500 })
    lane.task = task && { ...lane.runner.take(task), isLogged: false }
    return
  }
  const { task, log, finish } = lane.task
  if (!lane.task.isLogged) await log('one', 'two')
  lane.task.isLogged = true
  const { job } = task.context as { job?: string }
  await finish(job === 'p' ? { outputs: { m: '{"v":["x","y","z"]}' } } : {})
  lane.task = undefined
}

async function register(guildhall: Guildhall): Promise<Lane[]> {
  const runners = Array.from({ length: runnerCount }, () => createFakeRunner(guildhall))
  for (const runner of runners) {
    await runner.register({ name: 'builder', token, labels: ['any'], capabilities: ['cancelling'] })
  }
  return runners.map(runner => ({ runner }))
}

const inGroup = (concurrency: string): string => `
on: push
concurrency: ${concurrency}
jobs:
  p: { runs-on: any, steps: [{ run: make }] }
  b:
    needs: p
    runs-on: any
    concurrency: { group: "job-\${{ matrix.v }}" }
    strategy: { max-parallel: 2, matrix: "\${{ fromJSON(needs.p.outputs.m) }}" }
    steps: [{ run: make }]
  c: { needs: b, if: always(), runs-on: any, steps: [{ run: make }] }
`

/** Starts runs that wait for each other or cancel each other, and cancels one of them. */
async function startRuns(guildhall: Guildhall): Promise<void> {
  const start = (concurrency: string) =>
    post(guildhall, `${repository}/actions/runs`, { workflow: inGroup(concurrency) }, 201)
  await start('deploy')
  const { id } = (await start('deploy')) as { id: number }
  await start('{ group: newest, cancel-in-progress: true }')
  await start('deploy')
  await start('{ group: newest, cancel-in-progress: true }')
  await start('{ group: all, queue: max }')
  await fetch(`${guildhall.url}/api/v1${repository}/actions/runs/${id}/cancel`, {
    method: 'POST',
    headers: adminHeaders,
  })
}

async function openRuns({ url }: Guildhall): Promise<number> {
  const counts = ['queued', 'waiting', 'in_progress'].map(async status => {
    const path = `/api/v1${repository}/actions/runs?limit=1&status=${status}`
    const answer = await fetch(`${url}${path}`, { headers: adminHeaders })
    return ((await answer.json()) as { total_count: number }).total_count
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

const repository = `/repos/${admin.name}/tools`

async function post({ url }: Guildhall, path: string, body: object, status: number): Promise<unknown> {
  const init = { method: 'POST', headers: adminHeaders, body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/v1${path}`, init)
  if (response.status !== status) throw new Error(await response.text())
  return await response.json()
}
