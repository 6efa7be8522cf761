import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { createLog } from '../log'
import { createDiskStorage } from './disk/disk'
import { newObjectKey } from './key'
import { sweepObjects } from './sweep'
import { claimObject, extendObject, holdObject, reserveObject } from './unused'

const minuteMs = 60_000
const log = createLog('silent')

let database: OpenDatabase
let directory: string
beforeAll(async () => {
  database = await openTestDatabase()
  directory = await mkdtemp(join(tmpdir(), 'guildhall-sweep-'))
})
afterAll(async () => {
  await database.close()
  await rm(directory, { recursive: true })
})
afterEach(async () => {
  vi.useRealTimers()
  await database.db.deleteFrom('unused_objects').execute()
})

const at = (now: Date) => ({
  db: database.db,
  storage: createDiskStorage(directory, log),
  clock: { now: () => now },
  log,
})
const start = new Date('2026-11-22T12:00:00Z')
const later = (minutes: number) => new Date(start.getTime() + minutes * minuteMs)
const noted = () => database.db.selectFrom('unused_objects').select('storage_key').execute()

async function putHeld(): Promise<{ key: string; release(): void }> {
  const ctx = at(start)
  const key = newObjectKey()
  const hold = await holdObject(ctx, key)
  await ctx.storage.put(key, one('bytes'))
  return { key, ...hold }
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

it('the cleanup of the storage deletes nothing while a backup is running, until its hold expires', async () => {
  const { key, release } = await putHeld()
  release()
  const hold = (heldUntil: Date) =>
    database.db.insertInto('backups').values({ held_until: heldUntil }).execute()
  await hold(new Date(Date.now() + minuteMs))
  expect(await sweepObjects(at(later(10)))).toBe(0)
  expect(await at(start).storage.size(key)).toBe(5)
  await database.db.deleteFrom('backups').execute()
  await hold(new Date(Date.now() - 1))
  expect(await sweepObjects(at(later(10)))).toBe(1)
  await database.db.deleteFrom('backups').execute()
})

it('the cleanup of the storage deletes an object that was not claimed within ten minutes of its last renewal', async () => {
  const { key, release } = await putHeld()
  release()
  const { storage } = at(start)
  expect(await sweepObjects(at(later(9)))).toBe(0)
  expect(await storage.size(key)).toBe(5)
  expect(await sweepObjects(at(later(10)))).toBe(1)
  expect(await storage.size(key)).toBeUndefined()
})

it('the cleanup of the storage keeps a claimed object', async () => {
  const { key, release } = await putHeld()
  await claimObject(database.db, key)
  release()
  expect(await sweepObjects(at(later(1000)))).toBe(0)
  expect(await at(start).storage.size(key)).toBe(5)
})

it('the cleanup of the storage deletes an object whose claim was rolled back', async () => {
  const { key, release } = await putHeld()
  const undone = database.db.transaction().execute(async trx => {
    await claimObject(trx, key)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  release()
  expect(await sweepObjects(at(later(10)))).toBe(1)
})

it('the cleanup of the storage keeps an object while it is being uploaded', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let now = start
  const ctx = { ...at(start), clock: { now: () => now } }
  const key = newObjectKey()
  const hold = await holdObject(ctx, key)
  now = later(9)
  await vi.advanceTimersByTimeAsync(minuteMs)
  await vi.waitFor(async () => {
    const row = database.db.selectFrom('unused_objects').select('sweep_after')
    expect(await row.executeTakeFirst()).toEqual({ sweep_after: later(19) })
  })
  expect(await sweepObjects(at(later(18)))).toBe(0)
  hold.release()
  expect(await sweepObjects(at(later(19)))).toBe(1)
})

it('an object that is being deleted by the cleanup can be neither claimed nor renewed, and its upload is aborted', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const key = newObjectKey()
  const { signal, release } = await holdObject(at(start), key)
  await sweepObjects(at(later(10)))
  await expect(claimObject(database.db, key)).rejects.toMatchObject({ kind: 'conflict' })
  expect(await extendObject(database.db, key, later(20))).toBe(false)
  await vi.advanceTimersByTimeAsync(minuteMs)
  await vi.waitFor(() => expect(signal.aborted).toBe(true))
  release()
})

it('the next cleanup of the storage completes an interrupted one', async () => {
  const key = newObjectKey()
  await reserveObject(database.db, key, start)
  const ctx = at(later(1))
  const cutOff = { ...ctx, storage: { ...ctx.storage, delete: () => Promise.reject(new Error('cut off')) } }
  await expect(sweepObjects(cutOff)).rejects.toThrow('cut off')
  await expect(claimObject(database.db, key)).rejects.toMatchObject({ kind: 'conflict' })
  expect(await sweepObjects(at(later(61)))).toBe(1)
})

it('the cleanup of the storage deletes an object again a week later, in case a stalled process wrote to it after the first deletion', async () => {
  const { key, release } = await putHeld()
  release()
  const ctx = at(later(10))
  expect(await sweepObjects(ctx)).toBe(1)
  await ctx.storage.put(key, one('late'))
  const weekMinutes = 7 * 24 * 60
  expect(await sweepObjects(at(later(weekMinutes + 9)))).toBe(0)
  expect(await ctx.storage.size(key)).toBe(4)
  await sweepObjects(at(later(weekMinutes + 10)))
  expect(await ctx.storage.size(key)).toBeUndefined()
  expect(await noted()).toEqual([])
})

it('the cleanup of the storage retries objects that cannot be deleted after an hour, and deletes the others meanwhile', async () => {
  const [stuck, free] = [Array.from({ length: 101 }, newObjectKey), newObjectKey()]
  for (const key of stuck) await reserveObject(database.db, key, start)
  await reserveObject(database.db, free, later(1))
  const ctx = at(later(2))
  const remove = async (key: string) => {
    if (key !== free) throw new Error('stuck')
  }
  await expect(sweepObjects({ ...ctx, storage: { ...ctx.storage, delete: remove } })).rejects.toThrow('stuck')
  expect((await noted()).map(row => row.storage_key).sort()).toEqual([...stuck, free].sort())
  expect(await sweepObjects(at(later(61)))).toBe(0)
  expect(await sweepObjects(at(later(62)))).toBe(101)
})
