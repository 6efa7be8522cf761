import { expect, it } from 'vitest'
import { refuseChanges } from '@/db/refuse-changes'
import { openTestDatabase } from '@/db/testing/test-database'
import { directSite } from './live'
import { selectLastBackups } from './store'

it('a site that is read-only can be backed up', async () => {
  const database = await openTestDatabase()
  const { db } = database
  refuseChanges(database)
  const ownLocations = { requireRepositories: async () => undefined, requireObjects: async () => undefined }
  const live = directSite({ db, ownLocations } as never, { isAlone: true })
  const { startedAt } = await live.begin()
  expect((await selectLastBackups(db)).running?.started_at).toEqual(startedAt)
  await live.end({ outcome: 'done', message: '', sizeBytes: 1, copiedBytes: 1 })
  expect((await selectLastBackups(db)).done?.size_bytes).toBe(1)
  await expect(db.deleteFrom('backups').execute()).rejects.toThrow('read-only')
  await database.close()
})
