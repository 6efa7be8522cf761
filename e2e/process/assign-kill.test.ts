import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFakeRunner, type FakeRunner, type FakeTask } from '@/testing/fake-runner'
import { series } from '@/testing/series'
import { adminHeaders } from './api'
import { admin, adminEnvironment, dataDirectory, type Guildhall, start, withDatabase } from './guildhall'

const rounds = Number(process.env.GUILDHALL_TEST_KILLS ?? series(1, 4))
const runnerCount = 4
const jobCount = 12
const token = 'a-registration-token-for-the-whole-site'

it(`jobs that are assigned while the process is killed each run exactly once (kills: ${rounds})`, {
  tags: 'series',
  timeout: 360_000,
}, async () => {
  await using holder = await dataDirectory()
  const environment = {
    GUILDHALL_DATA_DIR: holder.path,
    ...adminEnvironment,
    GUILDHALL_RUNNER_REGISTRATION_TOKEN: token,
  }
  const ended = new Map<string, number>()
  const lanes: Lane[] = []
  let url: string | undefined
  for (let round = 0; round < rounds; round++) {
    const guildhall = await start(environment, url)
    url = guildhall.url
    if (round === 0) {
      await post(guildhall, '/user/repos', { name: 'tools', auto_init: true }, 201)
      lanes.push(...(await register(guildhall)))
    }
    await startRun(guildhall)
    const before = ended.size
    const killed = new AbortController()
    const working = lanes.map(lane => work(lane, ended, killed.signal))
    while (ended.size <= before) await delay(5)
    await delay(randomInt(100))
    await guildhall.end('SIGKILL')
    killed.abort()
    await Promise.all(working)
  }
  const last = await start(environment, url)
  const left = new AbortController()
  const working = lanes.map(lane => work(lane, ended, left.signal))
  await expect.poll(() => openJobs(last), { timeout: 150_000, interval: 200 }).toBe(0)
  left.abort()
  await Promise.all(working)
  await last.end('SIGTERM')
  await withDatabase({ dataDir: holder.path }, async ({ db }) => {
    const jobs = await db.selectFrom('workflow_jobs').select(['id', 'status', 'conclusion']).execute()
    expect(jobs).toHaveLength(rounds * jobCount)
    expect(jobs.every(({ conclusion }) => conclusion === 'success')).toBe(true)
    const tasks = await db.selectFrom('workflow_tasks').select(['job_id', 'status']).execute()
    expect(tasks.every(({ status }) => status === 'ended')).toBe(true)
    expect(new Set(tasks.map(({ job_id }) => job_id)).size).toBe(tasks.length)
    expect(tasks).toHaveLength(jobs.length)
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
async function work(lane: Lane, ended: Map<string, number>, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await step(lane, ended).catch(() => delay(20))
  }
}

async function step(lane: Lane, ended: Map<string, number>): Promise<void> {
  if (!lane.task) {
    const task = await lane.runner.fetchTask({ timeoutMs: 1_500 })
    lane.task = task && { ...lane.runner.take(task), isLogged: false }
    return
  }
  const { task, log, finish } = lane.task
  if (!lane.task.isLogged) await log('one', 'two')
  lane.task.isLogged = true
  await finish()
  lane.task = undefined
  ended.set(String(task.id), (ended.get(String(task.id)) ?? 0) + 1)
}

async function register(guildhall: Guildhall): Promise<Lane[]> {
  const runners = Array.from({ length: runnerCount }, () => createFakeRunner(guildhall))
  for (const runner of runners) {
    await runner.register({ name: 'builder', token, labels: ['any'], capabilities: ['cancelling'] })
  }
  return runners.map(runner => ({ runner }))
}

async function startRun(guildhall: Guildhall): Promise<void> {
  const job = (key: string) => `  ${key}:\n    runs-on: any\n    steps:\n      - run: make\n`
  const jobs = Array.from({ length: jobCount }, (_, index) => job(`job${index}`)).join('')
  await post(guildhall, `${repository}/actions/runs`, { workflow: `on: push\njobs:\n${jobs}` }, 201)
}

async function openJobs(guildhall: Guildhall): Promise<number> {
  const answer = await fetch(`${guildhall.url}/api/v1${repository}/actions/runs?limit=50`, {
    headers: adminHeaders,
  })
  const { workflow_runs } = (await answer.json()) as { workflow_runs: { status: string }[] }
  return workflow_runs.filter(({ status }) => status !== 'completed').length
}

const repository = `/repos/${admin.name}/tools`

async function post({ url }: Guildhall, path: string, body: object, status: number): Promise<unknown> {
  const init = { method: 'POST', headers: adminHeaders, body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/v1${path}`, init)
  if (response.status !== status) throw new Error(await response.text())
  return await response.json()
}
