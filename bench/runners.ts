import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openDatabase } from '@/db/client'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { createFakeRunner, type FakeRunner } from '@/testing/fake-runner'
import { tokenFor } from './seed'
import { type ServerData, type ServerProcess, startServer } from './server-process'

const runnerCount = 100
const jobCount = Number(process.env.BENCH_JOBS ?? 1_000)
const offers = 100
const idleSeconds = Number(process.env.BENCH_IDLE_SECONDS ?? 20)
const registrationToken = 'a-registration-token-for-the-whole-site'
const out = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Measures 100 runners on PostgreSQL. Prints how many of 1,000 queued jobs they are assigned per second, and
 * how long the calls take; the delay until a waiting runner is offered a new job; and the CPU usage of the
 * server while all runners are idle.
 */
export async function benchRunners(data: ServerData & { databaseUrl: string }): Promise<void> {
  const { db, close } = await openDatabase(data)
  const owner = await makeUser(db)
  const token = await tokenFor(db, owner.id)
  const settings = { GUILDHALL_RUNNER_REGISTRATION_TOKEN: registrationToken }
  const server = await startServer('dist/main.js', 4621, data, settings)
  // Created after the start, because a server refuses its first start if the Git data of existing
  // repositories is missing.
  const repository = await makeRepository(db, owner.id)
  const start = (jobs: number) => startRun(server, `/repos/${owner.name}/${repository.name}`, token, jobs)
  try {
    const runners = await registerAll(server)
    await start(10)
    await drain(runners, 10)
    await start(jobCount)
    await throughput(runners)
    await latency(db, runners, () => start(1))
    await idle(server, runners)
  } finally {
    await server.stop()
    await close()
  }
}

async function throughput(runners: readonly FakeRunner[]): Promise<void> {
  const begun = performance.now()
  const { times, endedAt } = await drain(runners, jobCount)
  const seconds = (endedAt - begun) / 1000
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  out(
    `    ${jobCount} queued jobs, ${runnerCount} runners: ${(jobCount / seconds).toFixed(0)} jobs/s assigned and finished; ` +
      `FetchTask p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  )
}

/**
 * Makes the runners fetch and finish this many jobs. Returns the duration of each call that fetched one in
 * milliseconds.
 */
async function drain(
  runners: readonly FakeRunner[],
  jobs: number,
): Promise<{ times: number[]; endedAt: number }> {
  const times: number[] = []
  let endedAt = 0
  await Promise.all(
    runners.map(async runner => {
      while (times.length < jobs) {
        const asked = performance.now()
        const task = await fetchTask(runner)
        if (!task) continue
        times.push(performance.now() - asked)
        await runner.take(task).finish()
        endedAt = performance.now()
      }
    }),
  )
  return { times, endedAt }
}

async function latency(db: Db, runners: readonly FakeRunner[], start: () => Promise<void>): Promise<void> {
  const offered = new Map<number, number>()
  let isOver = false
  const waiting = runners.map(async runner => {
    while (!isOver) {
      const task = await fetchTask(runner)
      if (!task) continue
      offered.set(Number(task.id), Date.now())
      await runner.take(task).finish()
    }
  })
  await delay(500)
  for (let count = 0; count < offers; count++) {
    await start()
    await delay(50)
  }
  while (offered.size < offers) await delay(10)
  isOver = true
  await Promise.all(waiting)
  const tasks = await db
    .selectFrom('workflow_tasks')
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_tasks.job_id')
    .select(['workflow_tasks.id', 'workflow_jobs.queued_at'])
    .where('workflow_tasks.id', 'in', [...offered.keys()])
    .execute()
  const times = tasks.map(({ id, queued_at }) => (offered.get(id) ?? 0) - Number(queued_at))
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  out(
    `    from queuing a job to offering it to a waiting runner: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  )
}

/**
 * Prints the server's CPU usage while runners poll like real ones: every five seconds on average, after each
 * response without a task.
 */
async function idle(server: ServerProcess, runners: readonly FakeRunner[]): Promise<void> {
  const end = performance.now() + idleSeconds * 1000
  const before = await server.cpuSeconds()
  await Promise.all(
    runners.map(async runner => {
      await delay(Math.random() * 5_000)
      while (performance.now() < end) {
        await fetchTask(runner)
        await delay(4_000 + Math.random() * 2_000)
      }
    }),
  )
  const used = (await server.cpuSeconds()) - before
  const seconds = idleSeconds + (performance.now() - end) / 1000
  out(`    ${runnerCount} idle runners: ${((100 * used) / seconds).toFixed(1)}% of one core`)
}

// Uses the timeout of a real runner, which treats a timeout as a response without a task.
const fetchTask = (runner: FakeRunner) => runner.fetchTask({ timeoutMs: 5_000 }).catch(() => undefined)

async function registerAll(server: ServerProcess): Promise<FakeRunner[]> {
  const runners = Array.from({ length: runnerCount }, () => createFakeRunner(server))
  for (const [at, runner] of runners.entries()) {
    const request = { name: `runner-${at}`, token: registrationToken, labels: ['linux'] }
    await runner.register({ ...request, capabilities: ['cancelling'] })
  }
  return runners
}

async function startRun(
  { url }: ServerProcess,
  repository: string,
  token: string,
  jobs: number,
): Promise<void> {
  const job = (key: number) => `  job${key}:\n    runs-on: linux\n    steps:\n      - run: make\n`
  const workflow = `on: push\njobs:\n${Array.from({ length: jobs }, (_, key) => job(key)).join('')}`
  const answer = await fetch(`${url}/api/v1${repository}/actions/runs`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workflow }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
