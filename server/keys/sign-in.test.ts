import { expect, it, onTestFinished } from 'vitest'
import { refuseChanges } from '@/db/refuse-changes'
import { openTestDatabase } from '@/db/testing/test-database'
import { recordKeyUse } from './sign-in'

it('recordKeyUse does nothing on a site that is read-only', async () => {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  refuseChanges(database)
  const { db } = database
  await recordKeyUse(
    { db, clock: { now: () => new Date() }, remoteAddress: '127.0.0.1' },
    { id: 1, owner: undefined },
  )
  await expect(db.deleteFrom('public_keys').execute()).rejects.toThrow('read-only')
})
