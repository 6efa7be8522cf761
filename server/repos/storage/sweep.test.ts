import { writeFileSync } from 'node:fs'
import { mkdir, readdir, rename, stat, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { jobContext } from '@/server/services'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { dropIntent, makeBareRepository, newStorageKey, noteIntent, repositoryPath } from '.'
import { asideIntentPath, intentPath, makingPath, trashFolder } from './paths'
import { sweepRepositories } from './sweep'

const hourMs = 60 * 60 * 1000

describe('the repository cleanup job', () => {
  const site = useSite()
  const config = () => site.services.config
  const sweep = () => sweepRepositories(jobContext(site.services, 'sweep'))

  async function onDisk(): Promise<string> {
    const storageKey = newStorageKey()
    await makeBareRepository(config(), { storageKey, objectFormat: 'sha1', defaultBranch: 'main' })
    return storageKey
  }

  async function begunBefore(storageKey: string, hours: number): Promise<void> {
    const then = new Date(Date.now() - hours * hourMs)
    await utimes(intentPath(config(), storageKey), then, then)
  }

  const exists = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    )
  const isThere = (storageKey: string) => exists(repositoryPath(config(), storageKey))
  const isNoted = (storageKey: string) => exists(intentPath(config(), storageKey))

  it('moves a repository without a row to the trash after an hour, and deletes it in the next run', async () => {
    const key = await onDisk()
    await begunBefore(key, 2)
    expect(await sweep()).toBe(1)
    expect(await isThere(key)).toBe(false)
    expect(await isNoted(key)).toBe(false)
    expect(await readdir(trashFolder(config()))).toHaveLength(1)
    expect(await sweep()).toBe(0)
    expect(await readdir(trashFolder(config()))).toEqual([])
  })

  it('moves none while a backup is running', async () => {
    const key = await onDisk()
    await begunBefore(key, 2)
    await site.db
      .insertInto('backups')
      .values({ held_until: new Date(Date.now() + hourMs) })
      .execute()
    expect(await sweep()).toBe(0)
    expect(await isThere(key)).toBe(true)
    await site.db.deleteFrom('backups').execute()
    expect(await sweep()).toBe(1)
  })

  it('leaves a repository that is being created', async () => {
    const key = await onDisk()
    expect(await sweep()).toBe(0)
    expect(await isThere(key)).toBe(true)
    expect(await isNoted(key)).toBe(true)
  })

  it('leaves a repository that has a row, and removes its intent file', async () => {
    const key = await onDisk()
    const { account } = await makePerson(site)
    await makeRepository(site.db, account.id, { storage_key: key })
    await begunBefore(key, 2)
    await sweep()
    expect(await isThere(key)).toBe(true)
    expect(await isNoted(key)).toBe(false)
  })

  it('leaves a repository that has neither a row nor an intent file, as after the restore of an older database', async () => {
    const key = await onDisk()
    await dropIntent(config(), key)
    await sweep()
    expect(await isThere(key)).toBe(true)
  })

  it('moves a repository to the trash if the process ended between deleting its row and its files', async () => {
    const key = await onDisk()
    await dropIntent(config(), key)
    await noteIntent(config(), key)
    await begunBefore(key, 2)
    await sweep()
    expect(await isThere(key)).toBe(false)
  })

  it('moves a half-created repository to the trash', async () => {
    const key = await onDisk()
    const half = newStorageKey()
    await mkdir(dirname(makingPath(config(), half)), { recursive: true })
    await mkdir(makingPath(config(), half))
    await noteIntent(config(), half)
    await begunBefore(half, 2)
    expect(await sweep()).toBe(1)
    expect(await exists(makingPath(config(), half))).toBe(false)
    expect(await isThere(key)).toBe(true)
  })

  it('keeps the intent file of a removal that begins while the job is deciding', async () => {
    const key = await onDisk()
    const { account } = await makePerson(site)
    await makeRepository(site.db, account.id, { storage_key: key })
    await begunBefore(key, 2)
    const db = site.db.withPlugin({
      transformQuery({ node }) {
        if (node.kind === 'SelectQueryNode') writeFileSync(intentPath(config(), key), '')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await sweepRepositories({ ...jobContext(site.services, 'sweep'), db })
    expect(await isThere(key)).toBe(true)
    expect(await isNoted(key)).toBe(true)
  })

  it('continues with the intent files that an unfinished run had set aside', async () => {
    const key = await onDisk()
    await begunBefore(key, 2)
    await rename(intentPath(config(), key), asideIntentPath(config(), key))
    await sweep()
    expect(await isThere(key)).toBe(false)
    expect(await exists(asideIntentPath(config(), key))).toBe(false)
  })

  it('stops when its signal is aborted, and continues in the next run', async () => {
    const [removed, left] = [await onDisk(), await onDisk()]
    await begunBefore(removed, 2)
    await sweep()
    await begunBefore(left, 2)
    await sweepRepositories(jobContext(site.services, 'sweep'), AbortSignal.abort())
    expect(await readdir(trashFolder(config()))).toHaveLength(1)
    expect([await isThere(left), await isNoted(left)]).toEqual([true, true])
    expect(await sweep()).toBe(1)
    expect(await isThere(left)).toBe(false)
  })
})
