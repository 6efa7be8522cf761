import { mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { unavailable } from '@/server/kernel/errors'
import { createLog } from '@/server/kernel/log'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { newObjectKey } from '@/server/kernel/storage/key'
import { guardedStorage, guardLocations, locationsOf, settleBelongings } from '.'
import { saveMark } from './store'

let home: string
let database: OpenDatabase
const lines: { level: string; msg: string }[] = []
const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-guard-'))
  database = await openTestDatabase()
  lines.length = 0
})
afterEach(async () => {
  await database.close()
  await rm(home, { recursive: true, force: true })
})

async function startedSite() {
  const [dataDir, repositoryDir, directory] = ['data', 'repositories', 'objects'].map(name =>
    join(home, name),
  ) as [string, string, string]
  const config = {
    secretKey: undefined,
    dataDir,
    repositoryDir,
    storage: { kind: 'disk', directory } as const,
  }
  const storage = createDiskStorage(directory, log)
  const locations = locationsOf(config, storage)
  await settleBelongings(database, { config, locations, log })
  const guard = guardLocations(database.db, locations, log)
  return { locations, repositoryDir, directory, guard, storage: guardedStorage(storage, guard) }
}

const soon = { timeout: 5_000, interval: 50 }
const refused = expect.objectContaining({ kind: 'unavailable', retryAfterSeconds: 5 })

it('guardLocations refuses writes to a directory that was unmounted, until it is mounted again', async () => {
  const { repositoryDir, guard } = await startedSite()
  await guard.requireRepositories()
  expect(await guard.findTrouble('repositories')).toBeUndefined()
  await rename(repositoryDir, `${repositoryDir}.away`)
  await expect.poll(() => guard.requireRepositories().catch(error => error), soon).toEqual(refused)
  expect(await guard.findTrouble('repositories')).toBe('does not belong to this site: its mark is missing')
  await rename(`${repositoryDir}.away`, repositoryDir)
  await expect.poll(() => guard.requireRepositories(), soon).toBeUndefined()
  expect(lines.map(({ level, msg }) => `${level} ${msg.split(' ').at(-1)}`)).toEqual([
    'error there',
    'info again',
  ])
})

it("guardLocations refuses writes to a directory with another site's mark", async () => {
  const { repositoryDir, guard } = await startedSite()
  await writeFile(join(repositoryDir, 'guildhall-mark'), `${'a'.repeat(32)}\n`)
  await expect(guard.requireRepositories()).rejects.toEqual(refused)
})

it('guardedStorage refuses to store and delete objects in storage of another site, and closes the streams passed to it', async () => {
  const { directory, storage } = await startedSite()
  const key = newObjectKey()
  await rename(directory, `${directory}.away`)
  const source = Readable.from([Buffer.from('x')])
  await expect(storage.put(key, source)).rejects.toEqual(refused)
  expect(source.destroyed).toBe(true)
  await expect(storage.putPart(key, 0, Readable.from([]))).rejects.toEqual(refused)
  await expect(storage.compose(key, [{ part: 0 }])).rejects.toEqual(refused)
  await expect(storage.delete(key)).rejects.toEqual(refused)
  expect(await readdir(home)).toEqual(['data', 'objects.away', 'repositories'])
})

it('guardLocations refuses writes to a directory that cannot be read, until it can be read, and logs this once', async () => {
  const { repositoryDir, directory, guard, storage } = await startedSite()
  const marks = [join(repositoryDir, 'guildhall-mark'), join(directory, '00', '0'.repeat(32))]
  for (const mark of marks) {
    await rename(mark, `${mark}.aside`)
    await symlink(mark, mark)
  }
  const findTroubles = () => Promise.all([guard.findTrouble('repositories'), guard.findTrouble('objects')])
  for (let look = 0; look < 3; look++) {
    await expect(guard.requireRepositories()).rejects.toEqual(refused)
    await expect(storage.delete(newObjectKey())).rejects.toEqual(refused)
    expect(await findTroubles()).toEqual(['cannot be read', 'cannot be read'])
  }
  for (const mark of marks) await rename(`${mark}.aside`, mark)
  await expect.poll(findTroubles, soon).toEqual([undefined, undefined])
  for (const location of ['repository', 'object'])
    expect(lines.filter(({ msg }) => msg.startsWith(`the ${location} directory`))).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: expect.stringContaining('cannot be read'),
        reason: expect.stringContaining('ELOOP'),
      }),
      expect.objectContaining({ level: 'info', msg: expect.stringMatching(/again$/) }),
    ])
})

it('guardLocations refuses writes to a bucket that cannot be reached but reports no trouble to the readiness check', async () => {
  const { locations } = await startedSite()
  const away = locations.map(location => ({
    ...location,
    isRemote: true,
    readMark: () => Promise.reject(new Error('away')),
  }))
  const guard = guardLocations(database.db, away, log)
  await expect(guard.requireObjects()).rejects.toEqual(refused)
  expect(await guard.findTrouble('objects')).toBeUndefined()
})

it('guardLocations reports trouble for a bucket that denies access but not for one that throttles requests', async () => {
  const { locations } = await startedSite()
  const answering = (httpStatusCode: number, name = 'Error') => {
    const cause = Object.assign(new Error('no'), { name, $metadata: { httpStatusCode } })
    const readMark = () => Promise.reject(unavailable('the storage cannot be reached right now', { cause }))
    const away = locations.map(location => ({ ...location, isRemote: true, readMark }))
    return guardLocations(database.db, away, log)
  }
  expect(await answering(403).findTrouble('objects')).toBe('denies access')
  for (const status of [408, 429, 503])
    expect(await answering(status).findTrouble('objects'), String(status)).toBeUndefined()
  expect(await answering(400, 'InvalidRequest').findTrouble('objects')).toBe('denies access')
  for (const name of ['RequestTimeout', 'ExpiredToken'])
    expect(await answering(400, name).findTrouble('objects'), name).toBeUndefined()
})

it('guardLocations refuses writes to other locations while a new mark is recorded but not yet written', async () => {
  const { locations } = await startedSite()
  await saveMark(database.db, 'repositories', { mark: 'b'.repeat(32), isWritten: false })
  await expect(guardLocations(database.db, locations, log).requireRepositories()).rejects.toEqual(refused)
})
