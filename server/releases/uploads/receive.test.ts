import { describe, expect, it } from 'vitest'
import { makeAttachment, makeRelease, makeRepository } from '@/db/testing/factories'
import type { UserCaller } from '@/server/kernel/caller'
import { newObjectKey } from '@/server/kernel/storage/key'
import { requestContext } from '@/server/services'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { loadRelease } from '../load'
import { beginUpload } from './begin'
import { lockUpload, UploadBusy } from './lock'
import { receiveUpload } from './receive'
import { deleteUpload, type UploadRow } from './store'

const site = useSite()

/** Receives an upload of which something happens while its bytes come; gives its row in `unused_objects`. */
async function receiveDuring(happens: (upload: UploadRow) => Promise<unknown>) {
  const { account, name: owner } = await makePerson(site)
  const repository = await makeRepository(site.db, account.id)
  const { id } = await makeRelease(site.db, repository.id)
  const caller: UserCaller = { kind: 'user', user: account, credential: { kind: 'password' } }
  const ctx = {
    ...requestContext(site.services, { remoteAddress: '127.0.0.1', requestId: 'test' }),
    caller,
  }
  const found = await loadRelease(ctx, { owner, repo: repository.name, id }, 'write')
  const upload = await beginUpload(ctx, found, { id: newObjectKey(), name: 'a', size: 3, replaces: false })
  const lock = await lockUpload(ctx, upload.id)
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('al')
    await happens(upload)
    yield Buffer.from('l')
  }
  try {
    await expect(receiveUpload(ctx, upload, lock, body())).rejects.toThrow(UploadBusy)
  } finally {
    await lock.release()
  }
  return await unused(upload)
}

const unused = ({ storage_key }: UploadRow) =>
  site.db.selectFrom('unused_objects').selectAll().where('storage_key', '=', storage_key).executeTakeFirst()

const forget = ({ storage_key }: UploadRow) =>
  site.db.deleteFrom('unused_objects').where('storage_key', '=', storage_key).execute()

describe('a part that comes after its upload was given up', () => {
  it('is left to the next sweep when one has taken the others', async () => {
    const row = await receiveDuring(async upload => {
      await deleteUpload(site.db, upload.id)
      await forget(upload)
    })
    expect(row?.sweep_after.getTime()).toBeLessThan(Date.now() + 3 * 60_000)
  })

  it('stays where the upload became a file', async () => {
    const row = await receiveDuring(async upload => {
      const { storage_key, release_id: id, repository_id } = upload
      await makeAttachment(site.db, { id, repository_id }, { storage_key })
      await forget(upload)
      await deleteUpload(site.db, upload.id)
    })
    expect(row).toBeUndefined()
  })
})
