import { expect, it } from 'vitest'
import { makeAttachment, makeRelease, makeRepository } from '@/db/testing/factories'
import { hubOf, type Signal } from '@/server/events'
import type { UserCaller } from '@/server/kernel/caller'
import { newObjectKey } from '@/server/kernel/storage/key'
import { reserveObject } from '@/server/kernel/storage/unused'
import { requestContext } from '@/server/services'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { loadRelease } from '../load'
import { editAttachment } from './edit'
import { listAttachments } from './list'
import { loadAttachment } from './load'
import { recordAttachment } from './record'
import { removeAttachment, restoreAttachment } from './remove'
import { findAttachmentByName } from './store'

const site = useSite()

async function makeScene() {
  const { account, name: owner } = await makePerson(site)
  const repository = await makeRepository(site.db, account.id)
  const { id } = await makeRelease(site.db, repository.id, { is_draft: true })
  const caller: UserCaller = { kind: 'user', user: account, credential: { kind: 'password' } }
  const ctx = {
    ...requestContext(site.services, { remoteAddress: '127.0.0.1', requestId: 'test' }),
    caller,
  }
  const path = { owner, repo: repository.name, id }
  return { ctx, path, release: await loadRelease(ctx, path, 'write') }
}

it('every change to a release’s files notifies open pages', async () => {
  const { ctx, path, release } = await makeScene()
  const received: Signal[] = []
  const stop = hubOf(site.db).listen(signals => void received.push(...signals))
  const notifiedOf = async (change: () => Promise<unknown>) => {
    received.length = 0
    await change()
    return [...received]
  }
  const signal = {
    kind: 'release.changed',
    isDraft: true,
    ownerId: ctx.caller.user.id,
    repositoryId: release.repository.id,
  }

  const storageKey = newObjectKey()
  await reserveObject(site.db, storageKey, new Date())
  const content = { size: 0, sha256: Buffer.alloc(32), contentType: 'text/plain' }
  const add = () => recordAttachment(ctx, release, { ...content, name: 'a', storageKey })
  expect(await notifiedOf(add)).toEqual([signal])

  const attachment_id = await onlyFile(path.id)
  const file = await loadAttachment(ctx, { ...path, attachment_id }, 'write')
  expect(await notifiedOf(() => editAttachment(ctx, file, { name: 'b' }))).toEqual([signal])
  expect(await notifiedOf(() => removeAttachment(ctx, file))).toEqual([signal])
  expect(await notifiedOf(() => restoreAttachment(ctx, release, attachment_id))).toEqual([signal])
  stop()
})

it('restoreAttachment rejects a deleted file if its release already has the maximum number of files', async () => {
  const { ctx, path, release } = await makeScene()
  const { id: attachment_id } = await makeAttachment(site.db, release.release)
  await removeAttachment(ctx, await loadAttachment(ctx, { ...path, attachment_id }, 'write'))
  for (let made = 0; made < 999; made++) await makeAttachment(site.db, release.release)
  const { id: last } = await makeAttachment(site.db, release.release)
  const restore = () => restoreAttachment(ctx, release, attachment_id)
  await expect(restore()).rejects.toMatchObject({ kind: 'unprocessable' })
  await removeAttachment(ctx, await loadAttachment(ctx, { ...path, attachment_id: last }, 'write'))
  expect((await restore()).id).toBe(attachment_id)
})

it('restoreAttachment keeps a newer file with the same name: each file has a URL of its own, and the URL by name serves the newer one', async () => {
  const { ctx, path, release } = await makeScene()
  const add = () => makeAttachment(site.db, release.release, { name: 'a' })
  const older = await add()
  await removeAttachment(ctx, await loadAttachment(ctx, { ...path, attachment_id: older.id }, 'write'))
  const newer = await add()
  const urls = async () => (await listAttachments(ctx, path)).map(file => file.browser_download_url)
  expect(await urls()).toEqual([expect.stringMatching(/\/releases\/download\/.+\/a$/)])
  await restoreAttachment(ctx, release, older.id)
  const { baseUrl } = site.services.config
  expect(await urls()).toEqual([older, newer].map(({ uuid }) => `${baseUrl}/attachments/${uuid}`))
  expect((await findAttachmentByName(site.db, path.id, 'a'))?.id).toBe(newer.id)
})

async function onlyFile(releaseId: number): Promise<number> {
  const files = site.db.selectFrom('attachments').select('id').where('release_id', '=', releaseId)
  return (await files.executeTakeFirstOrThrow()).id
}
