import { appendFile, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { openTestDatabase } from '@/db/testing/test-database'
import { makeCommittedRepository } from '@/testing/git-repository'
import { useSite } from '@/testing/site'
import type { StoredFile } from './index-file'
import { isDue } from './job'
import { listSnapshots, readSnapshot } from './location/snapshot'
import { openSnapshot } from './restore/open-snapshot'
import { selectLastBackups } from './store'
import {
  addObject,
  backUp,
  openLocationAt,
  piecesIn,
  refsOfAll,
  restoreInto,
  useContent,
  verified,
} from './testing/backed-up-site'
import { verifyBackup, verifyPresence } from './verify'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const site = useSite()
const content = useContent(site, 2)

const pathOf = (directory: string, [, , , piece]: StoredFile): string =>
  join(directory, 'data', piece.slice(0, 2), piece)

describe('a backup of a damaged site', () => {
  it('counts as failed each time until a damaged object is repaired, and then has the repaired one', async () => {
    const { storage } = site.services
    const key = await addObject(site, content.repositories[0]!, 5000)
    const whole = await buffer(await storage.get(key))
    const damaged = Buffer.from(whole)
    damaged[100]! ^= 1
    const location = await openLocationAt(content.path())
    const workDir = content.path()
    await storage.put(key, Readable.from([damaged]))
    for (const attempt of ['first', 'second']) {
      const { faults } = await backUp(site, location, { workDir })
      expect(faults, attempt).toEqual([`the object ${key} is damaged`])
    }
    const last = await selectLastBackups(site.db)
    expect(last.ended?.outcome).toBe('failed')
    expect(isDue(last, 86_400_000, new Date(Date.now() + 3_600_000))).toBe(false)
    await storage.put(key, Readable.from([whole]))
    expect((await backUp(site, location, { workDir })).faults).toEqual([])
  })

  it('has everything but a damaged repository, and is kept beside the complete ones', async () => {
    const { directory, name } = content.repositories[1]!
    const location = await openLocationAt(content.path())
    const options = { workDir: content.path(), keep: 1 }
    await backUp(site, location, options)
    await rename(join(directory, 'config'), join(directory, 'config.away'))
    for (const kept of [2, 2]) {
      const { faults } = await backUp(site, location, options)
      expect(faults, name).toEqual([expect.stringMatching(/^the repository \w{32} cannot be read: /)])
      expect(await listSnapshots(location)).toHaveLength(kept)
    }
    const restored = await restoreInto(content.path(), location)
    expect(restored.summary).toMatchObject({ repositories: 1, missing: 1 })
    await restored.database.close()
    await rename(join(directory, 'config.away'), join(directory, 'config'))
    const whole = await backUp(site, location, options)
    expect(whole).toMatchObject({ faults: [], removedBackups: 2 })
    expect(await listSnapshots(location)).toHaveLength(1)
    expect((await verifyPresence(location)).faults).toEqual([])
  })
})

describe('a damaged location', () => {
  it('with the list of an older backup damaged keeps what that may name, and gets further backups', async () => {
    const directory = content.path()
    const location = await openLocationAt(directory)
    await backUp(site, location, { workDir: content.path() })
    const [key = ''] = await listSnapshots(location)
    const list = join(directory, 'snapshots', key.slice(0, 2), key)
    await writeFile(list, (await readFile(list)).subarray(0, -9))
    const before = await piecesIn(directory)
    const summary = await backUp(site, location, { workDir: content.path() })
    expect(summary).toMatchObject({ faults: [], damagedBackups: [key], removedBackups: 0 })
    expect(await piecesIn(directory)).toEqual(expect.arrayContaining(before))
    const next = await backUp(site, location, { workDir: content.path(), keep: 1 })
    expect(next).toMatchObject({ damagedBackups: [], removedBackups: 2 })
    expect((await verifyPresence(location)).faults).toEqual([])
  })

  it('with the database of another backup in the place of this one is refused', async () => {
    const directory = content.path()
    const location = await openLocationAt(directory)
    const databases: string[] = []
    for (const workDir of [content.path(), content.path()]) {
      await backUp(site, location, { workDir })
      const first = await (await openSnapshot(location)).parts().next()
      databases.push(pathOf(directory, first.value.database))
    }
    await copyFile(databases[0]!, databases[1]!)
    const { faults } = await verified(location)
    expect(faults.join()).toContain('the database cannot be restored: the digest does not match')
    await expect(restoreInto(content.path(), location)).rejects.toThrow('the digest does not match')
  })

  it('cannot make Git run what the configuration of a repository names', async () => {
    const repository = await makeCommittedRepository(site, content.ada.account, { object_format: 'sha256' })
    const config = join(repository.directory, 'config')
    await appendFile(config, '[core]\n\tfsmonitor = touch /tmp/never\n[remote "x"]\n\turl = ext::sh\n')
    const location = await openLocationAt(content.path())
    await backUp(site, location, { workDir: content.path() })
    const restored = await restoreInto(content.path(), location)
    await refsOfAll(restored.database, restored.repositoryDir)
    const key = repository.directory.slice(-36)
    const written = await readFile(join(restored.repositoryDir, key.slice(0, 2), key, 'config'), 'utf8')
    expect(written).toContain('objectformat = sha256')
    expect(written).not.toMatch(/fsmonitor|remote/)
    await restored.database.close()
  })

  it('is not begun where there is something else, which would be removed', async () => {
    const directory = content.path()
    const other = join(directory, 'data', 'ab')
    await mkdir(other, { recursive: true })
    await writeFile(join(other, 'ab'.repeat(16)), 'an object of the site')
    await expect(openLocationAt(directory)).rejects.toThrow('this location contains other files')
    await rm(other, { recursive: true })
    await openLocationAt(directory)
  })
})

it('a verification of a backup that is removed meanwhile says so instead of listing faults', async () => {
  const location = await openLocationAt(content.path())
  await backUp(site, location, { workDir: content.path() })
  const [key = ''] = await listSnapshots(location)
  const { index } = await readSnapshot(location, key)
  const opening = async () => {
    await location.snapshots.delete(key)
    await location.data.delete(index.piece)
    return await openTestDatabase()
  }
  await expect(verifyBackup(location, { openDatabase: opening })).rejects.toThrow('removed by a newer one')
})
