import { beforeAll, describe, expect, it } from 'vitest'
import { makeAttachment, makeRelease, makeRepository, makeUser } from '@/db/testing/factories'
import { newObjectKey } from '@/server/kernel/storage/key'
import { reserveObject } from '@/server/kernel/storage/unused'
import { jobContext } from '@/server/services'
import { useSite } from '@/testing/site'
import { sweepUploadsJob } from './discard'
import { expiryFrom } from './expiry'
import { deleteUpload, insertUpload, noteAttachment } from './store'

const site = useSite()
const minuteMs = 60_000
let target: { release_id: number; repository_id: number; user_id: number }

beforeAll(async () => {
  const { id: user_id } = await makeUser(site.db)
  const { id: repository_id } = await makeRepository(site.db, user_id)
  const { id: release_id } = await makeRelease(site.db, repository_id)
  target = { user_id, repository_id, release_id }
})

async function insert(active = new Date()): Promise<{ id: string; storage_key: string }> {
  const storage_key = newObjectKey()
  await reserveObject(site.db, storage_key, expiryFrom(active))
  const row = { ...target, id: newObjectKey(), name: 'x', size: 1, storage_key, updated_at: active }
  return await insertUpload(site.db, row)
}

const sweepTime = async (key: string) =>
  (
    await site.db
      .selectFrom('unused_objects')
      .select('sweep_after')
      .where('storage_key', '=', key)
      .executeTakeFirst()
  )?.sweep_after.getTime() ?? 0

describe('stored parts of an upload', () => {
  it('become due for cleanup one to three minutes after the upload is deleted, so that running requests can notice', async () => {
    const { id, storage_key } = await insert()
    await deleteUpload(site.db, id)
    const left = (await sweepTime(storage_key)) - Date.now()
    expect(left).toBeGreaterThan(minuteMs)
    expect(left).toBeLessThan(3 * minuteMs)
  })

  it('become due for cleanup within three minutes after the release is deleted', async () => {
    const { id: release_id } = await makeRelease(site.db, target.repository_id)
    const { id, storage_key } = await insert()
    await site.db.updateTable('attachment_uploads').set({ release_id }).where('id', '=', id).execute()
    await site.db.deleteFrom('releases').where('id', '=', release_id).execute()
    expect(await sweepTime(storage_key)).toBeLessThan(Date.now() + 3 * minuteMs)
  })

  it('become due for cleanup about an hour after the release is deleted if the upload was finished, so that running downloads can end', async () => {
    const release = await makeRelease(site.db, target.repository_id)
    const { id, storage_key } = await insert()
    await site.db.deleteFrom('unused_objects').where('storage_key', '=', storage_key).execute()
    const file = await makeAttachment(site.db, release, { storage_key })
    await noteAttachment(site.db, id, file.id)
    await site.db
      .updateTable('attachment_uploads')
      .set({ release_id: release.id })
      .where('id', '=', id)
      .execute()
    await site.db.deleteFrom('releases').where('id', '=', release.id).execute()
    expect(await sweepTime(storage_key)).toBeGreaterThan(Date.now() + 50 * minuteMs)
  })

  it('are kept for a week after the upload’s last activity', async () => {
    const now = Date.now()
    const old = await insert(new Date(now - 7 * 24 * 60 * minuteMs - 1000))
    const young = await insert(new Date(now - 6 * 24 * 60 * minuteMs))
    const ctx = jobContext(site.services, 'test')
    await sweepUploadsJob.run(ctx, new AbortController().signal)
    const ids = await site.db.selectFrom('attachment_uploads').select('id').execute()
    expect(ids.map(({ id }) => id)).toContain(young.id)
    expect(ids.map(({ id }) => id)).not.toContain(old.id)
    expect(await sweepTime(young.storage_key)).toBe(
      expiryFrom(new Date(now - 6 * 24 * 60 * minuteMs)).getTime(),
    )
  })
})
