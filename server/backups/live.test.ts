import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { refuseChanges } from '@/db/refuse-changes'
import { openTestDatabase } from '@/db/testing/test-database'
import { directSite } from './live'
import { selectLastBackups } from './store'

const ownLocations = { requireRepositories: async () => undefined, requireObjects: async () => undefined }

it('a backup cannot be completed if deletions did not wait for it, although it could not notice in time', async () => {
  const { db, close } = await openTestDatabase()
  const live = directSite({ db, ownLocations } as never, { isAlone: true })
  await expect(live.requireHold()).rejects.toThrow('deletions no longer waited')
  await live.begin()
  await live.requireHold()
  await db.updateTable('backups').set({ held_until: sql<Date>`now() - interval '1 second'` }).execute()
  await expect(live.requireHold()).rejects.toThrow('deletions no longer waited')
  await live.end({ outcome: 'failed', message: '' })
  await close()
})

it('a site that is read-only can be backed up', async () => {
  const database = await openTestDatabase()
  const { db } = database
  refuseChanges(database)
  const live = directSite({ db, ownLocations } as never, { isAlone: true })
  const { startedAt } = await live.begin()
  expect((await selectLastBackups(db)).running?.started_at).toEqual(startedAt)
  await live.end({ outcome: 'done', message: '', sizeBytes: 1, copiedBytes: 1 })
  expect((await selectLastBackups(db)).done?.size_bytes).toBe(1)
  await expect(db.deleteFrom('backups').execute()).rejects.toThrow('read-only')
  await database.close()
})
