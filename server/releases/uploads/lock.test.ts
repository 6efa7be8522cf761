import { expect, it } from 'vitest'
import { makeRelease, makeRepository, makeUser } from '@/db/testing/factories'
import { createMetrics } from '@/server/kernel/metrics'
import { newObjectKey } from '@/server/kernel/storage/key'
import { jobContext } from '@/server/services'
import { useSite } from '@/testing/site'
import { endUploadLocksWorker } from './lock'
import { insertUpload, renewLock, takeLock } from './store'

const site = useSite()

it('endUploadLocksWorker releases only locks from before its process started, and only if no other process was running', async () => {
  const { id: user_id } = await makeUser(site.db)
  const { id: repository_id } = await makeRepository(site.db, user_id)
  const { id: release_id } = await makeRelease(site.db, repository_id)
  const id = newObjectKey()
  await insertUpload(site.db, {
    ...{ id, release_id, repository_id, user_id, name: 'x', size: 1 },
    storage_key: newObjectKey(),
  })
  const ctx = jobContext(site.services, 'test')
  const begin = (aloneAt: Date | undefined) =>
    endUploadLocksWorker.run(ctx, {
      ...{ signal: new AbortController().signal, metrics: createMetrics() },
      aloneAt,
    })
  await takeLock(site.db, id, 'killed')
  await begin(undefined)
  expect(await takeLock(site.db, id, 'mine')).toBe(false)
  await begin(new Date())
  expect(await takeLock(site.db, id, 'mine')).toBe(true)
  await begin(new Date(Date.now() - 5_000))
  expect(await renewLock(site.db, id, 'mine')).toBe(false)
})
