import { gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { sweepObjectsJob } from '@/server/kernel/storage/sweep'
import { jobContext } from '@/server/services'
import { createTestRun, endTestJob, type TestRun } from '@/testing/actions'
import { giveTask } from '@/testing/assigned'
import { useSite } from '@/testing/site'
import { appendRows } from './append'
import type { LogRow } from './line'
import { openLog, readRows } from './read'
import { findLog, type Log, selectCompleteLogs } from './store'
import { storeLogsJob } from './store-logs'

const site = useSite()
const content = (row: number) => `row ${row} ${'x'.repeat(row % 50)}`

/** Sends a log of so many rows, in parts of 700. */
async function sendLog(count: number, { isComplete = true } = {}): Promise<{ run: TestRun; taskId: number }> {
  const run = await createTestRun(site)
  const taskId = run.jobs[0].task.id
  const runner = await giveTask(site, taskId)
  const append = (index: number, rows: LogRow[], isLast: boolean) =>
    appendRows(jobContext(site.services, 'test'), runner, { taskId, index, rows, isLast })
  for (let index = 0; index < count; index += 700) {
    const length = Math.min(700, count - index)
    const rows = Array.from({ length }, (_, at) => ({ time: undefined, content: content(index + at) }))
    await append(index, rows, false)
  }
  if (isComplete) await append(count, [], true)
  return { run, taskId }
}

const store = () => storeLogsJob.run(jobContext(site.services, 'test'), new AbortController().signal)
const chunks = (taskId: number) =>
  site.db.selectFrom('workflow_log_chunks').select('first_row').where('task_id', '=', taskId).execute()

async function log(taskId: number): Promise<Log> {
  const found = await findLog(site.db, taskId)
  if (!found) throw new Error('no log')
  return found
}

async function read(taskId: number, from = 0, limit = 100_000): Promise<string[]> {
  const rows = await readRows(site.services, await log(taskId), { from, limit })
  return rows.map(row => row.content)
}

describe('a complete log', () => {
  it('is moved to the storage with every row, and can still be read from any row on', async () => {
    const { taskId } = await sendLog(10_000)
    const text = async () => String(Buffer.concat(await openLog(site.services, await log(taskId)).toArray()))
    const before = await text()
    expect(before.split('\n')).toHaveLength(10_001)
    const targets = [0, 1, 699, 700, 999, 1000, 1001, 5432, 9999, 10_000, 20_000]
    const parts = await Promise.all(targets.map(from => read(taskId, from, 5)))
    expect(parts[8]).toEqual([content(9999)])
    expect(parts[9]).toEqual([])

    await store()
    const stored = await log(taskId)
    expect(stored.storage_key).toMatch(/^[0-9a-f]{32}$/)
    expect(await chunks(taskId)).toEqual([])
    expect(await text()).toBe(before)
    expect(await Promise.all(targets.map(from => read(taskId, from, 5)))).toEqual(parts)
    expect(stored.log_bytes).toBe(Buffer.byteLength(before))
  })

  it('is plain gzip in the storage', async () => {
    const { taskId } = await sendLog(3)
    await store()
    const object = await site.services.storage.get((await log(taskId)).storage_key ?? '')
    expect(String(gunzipSync(Buffer.concat(await object.toArray()))).split('\n')[2]).toContain(content(2))
  })

  it('is read completely by a reader that started before it was moved', async () => {
    const { taskId } = await sendLog(10_000)
    const reading = openLog(site.services, await log(taskId))
    const gathered: Buffer[] = []
    for await (const bytes of reading) {
      if (gathered.length === 0) await store()
      gathered.push(bytes)
    }
    expect((await log(taskId)).storage_key).not.toBeNull()
    expect(String(Buffer.concat(gathered)).split('\n')).toHaveLength(10_001)
  })

  it('is read as it was by a reader that started before its last rows arrived', async () => {
    const { run, taskId } = await sendLog(10, { isComplete: false })
    const began = await log(taskId)
    const runner = await giveTask(site, taskId)
    const rows = [{ time: undefined, content: 'too late' }]
    await appendRows(jobContext(site.services, 'test'), runner, { taskId, index: 10, rows, isLast: true })
    await store()
    const text = String(Buffer.concat(await openLog(site.services, began).toArray()))
    expect(text.split('\n')).toHaveLength(11)
    expect(Buffer.byteLength(text)).toBe(began.log_bytes)
    await site.db.deleteFrom('workflow_runs').where('id', '=', run.run.id).execute()
    await expect(openLog(site.services, began).toArray()).rejects.toThrow('deleted')
  })

  it('stays readable if moving it is interrupted anywhere, and is moved by the next run', async () => {
    const { taskId } = await sendLog(2000)
    const { storage } = site.services
    const before = await read(taskId)
    const put = storage.put.bind(storage)
    const failures = [
      () => Promise.reject(new Error('before')),
      async (...args: Parameters<typeof put>) => {
        await put(...args)
        throw new Error('after')
      },
    ]
    for (const fail of failures) {
      const spy = vi.spyOn(storage, 'put').mockImplementationOnce(fail)
      await store()
      expect((await log(taskId)).storage_key).toBeNull()
      expect(await read(taskId)).toEqual(before)
      spy.mockRestore()
    }
    await store()
    expect((await log(taskId)).storage_key).not.toBeNull()
    expect(await read(taskId)).toEqual(before)
  })

  it('does not block others if it cannot be moved', async () => {
    const [{ taskId }, other] = [await sendLog(1), await sendLog(1)]
    const found = await selectCompleteLogs(site.db, new Date(0), [taskId])
    expect(found).toContain(other.taskId)
    expect(found).not.toContain(taskId)
  })

  it('leaves its object to the sweep when its run is deleted', async () => {
    const { run, taskId } = await sendLog(10)
    await store()
    const key = (await log(taskId)).storage_key ?? ''
    await site.db.deleteFrom('workflow_runs').where('id', '=', run.run.id).execute()
    site.now.set(new Date(Date.now() + 86_400_000))
    await sweepObjectsJob.run(jobContext(site.services, 'test'), new AbortController().signal)
    site.now.set(undefined)
    expect(await site.services.storage.size(key)).toBeUndefined()
  })
})

it('a log that its runner never completes counts as complete a minute after its task has ended', async () => {
  const { run, taskId } = await sendLog(10, { isComplete: false })
  const inOneMinute = () => site.now.set(new Date(Date.now() + 61_000))
  inOneMinute()
  await store()
  expect((await log(taskId)).log_sealed_at).toBeNull()
  site.now.set(undefined)
  await endTestJob(site, run, run.jobs[0])
  await store()
  expect((await log(taskId)).log_sealed_at).toBeNull()
  inOneMinute()
  await store()
  site.now.set(undefined)
  expect((await log(taskId)).storage_key).not.toBeNull()
  expect(await read(taskId)).toHaveLength(10)
})
