import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openServer } from '@/db/server/open'
import { startPostgres } from '@/db/testing/postgres-server'
import { createServerDatabase } from '@/db/testing/server-template'
import { openTestDatabase } from '@/db/testing/test-database'
import { parseConfig } from '@/server/kernel/config'
import { defineJob, type Job } from '@/server/kernel/jobs'
import { createLog } from '@/server/kernel/log'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { createServices } from '@/server/services'
import { schedule } from './registry'
import { type JobRunner, startJobs } from './runner'

const everySecond = '* * * * * *'
const config = parseConfig({})

let database: OpenDatabase
beforeAll(async () => {
  // Each run holds one connection and needs another.
  database = await openTestDatabase({ poolSize: 30 })
})
afterAll(() => database.close())

const started: JobRunner[] = []
const stopAll = () => Promise.all(started.splice(0).map(runner => runner.stop()))
afterAll(stopAll)

let names = 0
/**
 * Returns a job name that no other test uses. Most tests wait for the next second, so they run concurrently.
 */
const newName = () => `test.run${++names}`

function start(
  { every = everySecond, name = newName(), ...job }: Partial<Job> & Pick<Job, 'run'> & { every?: string },
  { on = database, ms = 20_000, warnAfter = 10 } = {},
) {
  const lines: Record<string, unknown>[] = []
  const log = createLog('debug', { write: line => void lines.push(JSON.parse(line)) })
  const services = createServices(config, on, createDiskStorage('/nonexistent', log), log)
  const runner = startJobs(services, [{ every, job: defineJob({ name, ...job }) }], { stopMs: ms, warnAfter })
  started.push(runner)
  return { name, lines, stop: () => runner.stop() }
}

const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), 10_000)
/** Creates a run that continues until its signal is aborted, and 100 milliseconds longer. */
const lasting = (ended: () => void) => async (_: unknown, signal: AbortSignal) => {
  await sleep(20_000, undefined, { signal }).catch(() => sleep(100))
  ended()
}

describe('the job registry', () => {
  it('gives every job a unique name and a valid schedule', () => {
    expect(new Set(schedule.map(({ job }) => job.name)).size).toBe(schedule.length)
    for (const { every } of schedule) {
      expect(new Cron(every, { paused: true }).nextRun()).toBeInstanceOf(Date)
    }
  })
})

describe.concurrent('a background job', () => {
  it('runs on its schedule, and at the start only if it has the option `atStart`', async () => {
    let [runs, others] = [0, 0]
    start({ every: '0 0 1 1 *', atStart: true, run: async () => runs++ })
    start({ every: '0 0 1 1 *', run: async () => others++ })
    await until(() => runs === 1)
    start({ run: async () => others++ })
    await until(() => others >= 2)
    expect(runs).toBe(1)
  })

  it('is called as the system, with the name of the job', async () => {
    const run = vi.fn(async () => undefined)
    const { name } = start({ run, atStart: true })
    await until(() => run.mock.calls.length > 0)
    expect(run).toHaveBeenCalledWith(
      expect.objectContaining({ caller: { kind: 'system', job: name }, requestId: name }),
      expect.any(AbortSignal),
    )
  })

  it('does not run if the database is of the other kind', async () => {
    const run = vi.fn(async () => undefined)
    start({ run, atStart: true, database: database.kind === 'server' ? 'embedded' : 'server' })
    await sleep(1100)
    expect(run).not.toHaveBeenCalled()
  })

  it('that fails is logged with its name and runs again on schedule', async () => {
    let runs = 0
    const { name, lines } = start({
      async run() {
        if (++runs === 1) throw new Error('the disk is full')
      },
    })
    await until(() => runs === 2)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        job: name,
        err: expect.objectContaining({ message: 'the disk is full' }),
      }),
    )
  })

  it('records the outcome of each run', async () => {
    let runs = 0
    const { name } = start({
      async run() {
        if (++runs === 1) throw new Error('the disk is full')
        return { deleted: 2 }
      },
    })
    const recorded = () =>
      database.db
        .selectFrom('job_runs')
        .select(['outcome', 'message'])
        .where('job', '=', name)
        .orderBy('id')
        .limit(2)
        .execute()
    await vi.waitFor(
      async () =>
        expect(await recorded()).toEqual([
          { outcome: 'failed', message: 'the disk is full' },
          { outcome: 'done', message: 'deleted 2' },
        ]),
      10_000,
    )
  })

  it('continues to run if no record can be written', async () => {
    const own = await openTestDatabase()
    await own.pool.query('drop table job_runs')
    let runs = 0
    const { lines, stop } = start({ run: async () => runs++ }, { on: own })
    await until(() => runs === 2)
    await stop()
    await own.close()
    expect(lines).not.toContainEqual(expect.objectContaining({ level: 'error' }))
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: 'cannot record a run of a background job' }),
    )
  })

  it('never runs twice concurrently, even if a run takes longer than its interval', async () => {
    const run = vi.fn(() => sleep(2500))
    const { stop } = start({ run, atStart: true })
    await sleep(2200)
    expect(run).toHaveBeenCalledTimes(1)
    await stop()
  })
})

describe.concurrent('stopping the background jobs', () => {
  it('aborts active runs, waits for them, and starts no others', async () => {
    let [begun, ended] = [0, 0]
    const run = lasting(() => ended++)
    const { stop } = start({
      atStart: true,
      run: (ctx, signal) => {
        begun++
        return run(ctx, signal)
      },
    })
    await until(() => begun === 1)
    await stop()
    expect(ended).toBe(1)
    await sleep(1100)
    expect(begun).toBe(1)
  })

  it('waits only until the timeout for a run that does not stop, and logs its name', async () => {
    let release = () => {}
    const endless = new Promise<void>(resolve => {
      release = resolve
    })
    const run = vi.fn(() => endless)
    const { name, stop, lines } = start({ atStart: true, run }, { ms: 50 })
    await until(() => run.mock.calls.length === 1)
    await stop()
    expect(lines).toContainEqual(
      expect.objectContaining({ job: name, msg: 'a background job did not stop in time' }),
    )
    release()
  })
})

const server = await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(!server).concurrent('two processes that run background jobs on one server', () => {
  let fresh: Awaited<ReturnType<typeof createServerDatabase>>
  let processes: OpenDatabase[] = []
  beforeAll(async () => {
    fresh = await createServerDatabase(server!.url)
    processes = [await openServer(fresh.url, { poolSize: 15 }), await openServer(fresh.url, { poolSize: 15 })]
  })
  afterAll(async () => {
    await stopAll()
    for (const each of processes) await each.close()
    await fresh.drop()
  })

  /** Returns the IDs of the database processes whose sessions hold the job's lock. */
  async function holdersOf(job: string): Promise<number[]> {
    const { rows } = await processes[1]!.pool.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
        and objid::bigint = hashtext($1)::bigint & 4294967295`,
      [job],
    )
    return rows.map(row => row.pid)
  }

  it('run a job one at a time, and the second process takes it over when the first one stops', async () => {
    const [here, there] = processes
    let [now, most, ended] = [0, 0, 0]
    const run = lasting(() => {
      ended++
      now--
    })
    const job = {
      name: newName(),
      atStart: true,
      run: (ctx: unknown, signal: AbortSignal) => {
        most = Math.max(most, ++now)
        return run(ctx, signal)
      },
    }
    const first = start(job, { on: here! })
    await until(() => now === 1)
    const second = start(job, { on: there! })
    const refused = 'another process runs this background job'
    await until(() => second.lines.some(({ msg }) => msg === refused))
    expect([most, ended]).toEqual([1, 0])
    await first.stop()
    await until(() => ended === 1 && now === 1)
    expect(most).toBe(1)
    await second.stop()
  })

  it('abort a run that loses its lock with its connection, and one of them runs the job again', async () => {
    const [here, there] = processes
    let [begun, ended] = [0, 0]
    const run = lasting(() => ended++)
    const first = start(
      {
        atStart: true,
        run: (ctx, signal) => {
          begun++
          return run(ctx, signal)
        },
      },
      { on: here! },
    )
    await until(() => begun === 1)
    await there!.pool.query('select pg_terminate_backend(pid) from pg_locks where pid = any ($1)', [
      await holdersOf(first.name),
    ])
    await until(() => ended === 1)
    const line = 'a background job lost its lock and was told to stop'
    expect(first.lines).toContainEqual(expect.objectContaining({ level: 'warn', job: first.name, msg: line }))
    await until(() => begun === 2)
    await first.stop()
  })

  it('can close the database after a run that did not stop in time, and the other process takes over the job', async () => {
    const closing = await openServer(fresh.url, { poolSize: 2 })
    let release = () => {}
    const endless = new Promise<void>(resolve => {
      release = resolve
    })
    const run = vi.fn(() => endless)
    const first = start({ atStart: true, run }, { on: closing, ms: 50 })
    await until(() => run.mock.calls.length === 1)
    await first.stop()
    await closing.close()
    let runs = 0
    start({ name: first.name, atStart: true, run: async () => runs++ }, { on: processes[1]! })
    await until(() => runs > 0)
    release()
    await until(() => first.lines.some(({ msg }) => msg === 'a background job is done'))
    expect(first.lines).not.toContainEqual(expect.objectContaining({ msg: 'a background job failed' }))
  })

  const isReported = ({ msg }: Record<string, unknown>) =>
    msg === 'another process has not finished its run of this background job'

  it('log a warning each time the same run elsewhere has kept a job from running a set number of times', async () => {
    const [here, there] = processes
    const run = vi.fn(lasting(() => undefined))
    const { name } = start({ atStart: true, run }, { on: here! })
    await until(() => run.mock.calls.length === 1)
    const second = start({ name, run: async () => undefined }, { on: there!, warnAfter: 2 })
    const third = start(
      { name, canTakeHours: true, run: async () => undefined },
      { on: there!, warnAfter: 2 },
    )
    await until(() => second.lines.filter(isReported).length === 2)
    expect(third.lines.filter(isReported)).toEqual([])
    const holder = { pid: expect.any(Number), since: expect.any(String) }
    expect(second.lines.filter(isReported)).toMatchObject([
      { level: 'warn', job: name, refusals: 2, holder },
      { level: 'warn', job: name, refusals: 4, holder },
    ])
  }, 15_000)

  it('log no warning if the runs elsewhere are short, even if they always come first', async () => {
    const [here, there] = processes
    const other = await here!.pool.connect()
    const name = newName()
    const lock = `4711003, hashtext('${name}')`
    await other.query(`select pg_advisory_lock(${lock})`)
    const takeAnew = () => other.query(`select pg_advisory_unlock(${lock}), pg_advisory_lock(${lock})`)
    // A statement may be active when the connection is closed.
    const again = setInterval(() => void takeAnew().catch(() => undefined), 100)
    const second = start({ name, run: async () => undefined }, { on: there!, warnAfter: 2 })
    await until(() => second.lines.length >= 4)
    clearInterval(again)
    other.release(true)
    expect(second.lines.filter(isReported)).toEqual([])
  }, 15_000)

  it('release the lock of a job whose run fails', async () => {
    const [here, there] = processes
    let [failures, runs] = [0, 0]
    const failing = start(
      {
        atStart: true,
        run: async () => {
          failures++
          throw new Error('no')
        },
      },
      { on: here! },
    )
    await until(() => failures > 0)
    await failing.stop()
    start({ name: failing.name, atStart: true, run: async () => runs++ }, { on: there! })
    await until(() => runs > 0)
    expect((await holdersOf(failing.name)).length).toBeLessThanOrEqual(1)
  })
})
