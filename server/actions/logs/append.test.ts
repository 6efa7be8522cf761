import { beforeAll, describe, expect, it } from 'vitest'
import { hubOf, type Signal } from '@/server/events'
import { jobContext } from '@/server/services'
import { createTestRun, endTestJob, type TestJob, type TestRun } from '@/testing/actions'
import { giveTask } from '@/testing/assigned'
import { useSite } from '@/testing/site'
import { appendRows, type LogPart } from './append'
import { type LogRow, parseLine } from './line'
import { openLog, readRows } from './read'
import { findLog, type Log, selectChunks } from './store'

const site = useSite()
let run: TestRun
let job: TestJob
let runner: number
let logMaxBytes: number

const time = { seconds: 1_790_000_000n, nanos: 0 }
const rows = (...contents: string[]): LogRow[] => contents.map(content => ({ time, content }))
function append(part: Partial<LogPart>, as = runner): Promise<number> {
  const ctx = jobContext(site.services, 'test')
  const config = { ...ctx.config, logMaxBytes }
  return appendRows({ ...ctx, config }, as, {
    taskId: job.task.id,
    index: 0,
    rows: [],
    isLast: false,
    ...part,
  })
}

async function log(): Promise<Log> {
  const found = await findLog(site.db, job.task.id)
  if (!found) throw new Error('no log')
  return found
}

const contents = async () =>
  (await readRows(site.services, await log(), { from: 0, limit: 100 })).map(({ content }) => content)

async function start(): Promise<void> {
  run = await createTestRun(site)
  job = run.jobs[0]
  runner = await giveTask(site, job.task.id)
  logMaxBytes = 64 * 1024 * 1024
}

describe('rows of a log', () => {
  beforeAll(start)

  it('are acknowledged with the number of rows stored', async () => {
    expect(await append({ rows: rows('a', 'b') })).toBe(2)
    expect(await append({ index: 2, rows: rows('c') })).toBe(3)
    expect(await append({ index: 3 })).toBe(3)
    expect(await contents()).toEqual(['a', 'b', 'c'])
  })

  it('are skipped if they were sent before', async () => {
    expect(await append({ rows: rows('other', 'other') })).toBe(3)
    expect(await append({ index: 1, rows: rows('b', 'c', 'd') })).toBe(4)
    expect(await contents()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('are not written after a gap, and do not complete the log', async () => {
    expect(await append({ index: 5, rows: rows('f'), isLast: true })).toBe(4)
    expect(await append({ index: -1, rows: rows('x') }).catch(String)).toMatch(/negative/)
    expect(await append({ index: 4, rows: rows('e') })).toBe(5)
    expect(await contents()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('are written once if they are sent twice at the same time', async () => {
    const part = { index: 5, rows: rows('f', 'g') }
    expect(await Promise.all([append(part), append(part), append(part)])).toEqual([7, 7, 7])
    expect((await contents()).slice(5)).toEqual(['f', 'g'])
  })

  it('acknowledge the task and count as a report', async () => {
    site.now.set(new Date('2030-01-01T00:00:00Z'))
    await append({ index: 7, rows: rows('h') })
    site.now.set(undefined)
    const task = await site.db
      .selectFrom('workflow_tasks')
      .select(['acknowledged_at', 'reported_at'])
      .where('id', '=', job.task.id)
      .executeTakeFirstOrThrow()
    expect(task.acknowledged_at).toBeTruthy()
    expect(task.reported_at).toEqual(new Date('2030-01-01T00:00:00Z'))
  })

  it('are accepted after the task has ended, until the log is complete', async () => {
    await endTestJob(site, run, job)
    expect(await append({ index: 8, rows: rows('i') })).toBe(9)
  })

  it("for another runner's task are acknowledged like those for a deleted task, and not stored", async () => {
    const other = await giveTask(site, (await createTestRun(site)).jobs[0].task.id)
    expect(await append({ index: 9, rows: rows('x') }, other)).toBe(10)
    expect((await log()).log_rows).toBe(9)
  })

  it('for a deleted task are acknowledged', async () => {
    expect(await append({ taskId: 2 ** 40, index: 7, rows: rows('a', 'b') })).toBe(9)
  })
})

describe('the last part of a log', () => {
  beforeAll(start)

  it('completes the log even if it has no rows', async () => {
    await append({ rows: rows('a') })
    expect(await append({ index: 1, isLast: true })).toBe(1)
    expect((await log()).log_sealed_at).toBeTruthy()
  })

  it('is acknowledged again when it is repeated, but no rows can follow it', async () => {
    expect(await append({ index: 1, isLast: true })).toBe(1)
    expect(await append({ index: 0, rows: rows('a'), isLast: true })).toBe(1)
    await expect(append({ index: 1, rows: rows('b') })).rejects.toMatchObject({ kind: 'alreadyExists' })
    expect(await contents()).toEqual(['a'])
  })
})

describe('a log that exceeds its size limit', () => {
  beforeAll(async () => {
    await start()
    logMaxBytes = 200
  })

  it('ends with a line that says so, and all further rows are acknowledged', async () => {
    expect(await append({ rows: rows('a', 'b'.repeat(100)) })).toBe(2)
    expect(await append({ index: 2, rows: rows('c', 'd'.repeat(100), 'e') })).toBe(5)
    expect(await append({ index: 5, rows: rows('f') })).toBe(6)
    expect(await append({ index: 6, rows: rows('g'), isLast: true })).toBe(7)
    const cut = 'The log was truncated here because it reached the limit of 200 bytes.'
    expect(await contents()).toEqual(['a', 'b'.repeat(100), 'c', cut])
  })

  it('has the size of the rows that can be read', async () => {
    const bytes = Buffer.concat(await openLog(site.services, await log()).toArray())
    expect((await log()).log_bytes).toBe(bytes.length)
  })
})

it('many large rows sent together are read back unchanged', async () => {
  await start()
  const sent = Array.from({ length: 100 }, (_, at) => `${at} ${'x'.repeat(65_000)}`)
  expect(await append({ rows: rows(...sent), isLast: true })).toBe(100)
  const text = Buffer.concat(await openLog(site.services, await log()).toArray()).toString()
  const lines = text.split('\n').slice(0, -1)
  expect(lines.map(line => parseLine(Buffer.from(line)).content)).toEqual(sent)
})

it('many small parts are read together, up to 1 MiB', async () => {
  await start()
  for (let index = 0; index < 10; index++) await append({ index, rows: rows('x') })
  const large = Array.from({ length: 20 }, () => 'x'.repeat(65_000))
  await append({ index: 10, rows: rows(...large) })
  await append({ index: 30, rows: rows(...large) })
  const sizes: number[] = []
  for (let at = 0; at < 50; ) {
    const chunks = await selectChunks(site.db, job.task.id, at, 50)
    sizes.push(chunks.length)
    at = chunks.reduce((end, { row_count }) => end + row_count, at)
    expect(chunks.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(1024 * 1024)
  }
  expect(sizes).toEqual([11, 1, 1, 1])
})

it('open pages are notified of new rows immediately, but not of every call', async () => {
  await start()
  const heard: Signal[] = []
  const stop = hubOf(site.db).listen(signals => void heard.push(...signals))
  for (let index = 0; index < 20; index++) await append({ index, rows: rows('x') })
  const { id: taskId, run_id: runId, repository_id: repositoryId } = job.task
  const notice = { kind: 'log.appended', taskId, runId, repositoryId }
  expect(heard).toContainEqual(notice)
  await expect.poll(() => heard.length, { timeout: 3000 }).toBeGreaterThan(1)
  stop()
  expect(heard.length).toBeLessThan(10)
})
