import { describe, expect, it, onTestFinished } from 'vitest'
import { openTestDatabase } from '@/db/testing/test-database'
import { parseConfig } from '@/server/kernel/config'
import { failureIn, isDue, runScheduled } from './job'
import { beginBackup, endBackup, selectLastBackups } from './store'

const now = new Date('2026-05-01T12:00:00Z')
const hours = 3_600_000
const backup = (outcome: 'done' | 'stopped' | 'failed', startedHoursAgo: number, tookHours = 0) => ({
  id: 1,
  started_at: new Date(now.getTime() - startedHoursAgo * hours),
  held_until: now,
  ended_at: new Date(now.getTime() - (startedHoursAgo - tookHours) * hours),
  outcome,
  size_bytes: null,
  copied_bytes: null,
  message: '',
})
const none = { ended: undefined, done: undefined, running: undefined }
const due = (last: Partial<Parameters<typeof isDue>[0]>) => isDue({ ...none, ...last }, 24 * hours, now)

describe('a scheduled backup is due', () => {
  it('if there was none', () => expect(due({})).toBe(true))

  it('an interval after the last complete one started, no matter how long that took', () => {
    const [recent, old] = [backup('done', 23, 5), backup('done', 24, 5)]
    expect(due({ ended: recent, done: recent })).toBe(false)
    expect(due({ ended: old, done: old })).toBe(true)
  })

  it('immediately after an interrupted one, and fifteen minutes after a failed one', () => {
    const done = backup('done', 30)
    expect(due({ ended: backup('stopped', 0.1, 0.1), done })).toBe(true)
    expect(due({ ended: backup('failed', 0.2), done })).toBe(false)
    expect(due({ ended: backup('failed', 0.25), done })).toBe(true)
  })

  it('an interval after one of a site that lacks data, because the next one would lack it, too', () => {
    const done = backup('done', 60)
    const incomplete = (hoursAgo: number) => ({ ...backup('failed', hoursAgo), size_bytes: 1 })
    expect(due({ ended: incomplete(23), done })).toBe(false)
    expect(due({ ended: incomplete(24), done })).toBe(true)
  })

  it('never while one is running', () => expect(due({ running: backup('done', 1) })).toBe(false))
})

it('a scheduled backup that fails before it begins is recorded as failed, and other failures are recorded once', async () => {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  const { db } = database
  const hoursLater = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) })
  const config = parseConfig({ GUILDHALL_BACKUP_TO: '/unmounted' })
  const { signal } = new AbortController()
  const run = (hours: number, work: () => Promise<void>) =>
    runScheduled({ db, config, clock: hoursLater(hours) }, signal, work)

  const unmounted = run(0, () => Promise.reject(new Error('/unmounted: the directory is not writable')))
  await expect(unmounted).rejects.toThrow('not writable')
  const { ended } = await selectLastBackups(db)
  expect(ended).toMatchObject({ outcome: 'failed', message: '/unmounted: the directory is not writable' })

  const begun = run(1, async () => {
    const { id } = await beginBackup(db, { isAlone: true })
    await endBackup(db, id, { outcome: 'failed', message: 'the storage is full' })
    throw new Error('the storage is full')
  })
  await expect(begun).rejects.toThrow('full')
  expect(await db.selectFrom('backups').select('message').orderBy('id').execute()).toEqual([
    { message: '/unmounted: the directory is not writable' },
    { message: 'the storage is full' },
  ])
})

it('failureIn finds the message of a failed backup after warnings', () => {
  const message = 'the site lacks data:\n  the object 1 is missing'
  expect(failureIn(`(node:1) Warning: old\nbackup: ${message}\n`)).toBe(message)
  expect(failureIn('')).toBe('the process was killed')
})
