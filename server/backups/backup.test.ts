import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { countRows } from '@/db/backup/row-counts'
import { newIdentity, recipientOf } from '@/server/kernel/age'
import { sweepObjects } from '@/server/kernel/storage/sweep'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { sweepRepositories } from '@/server/repos/storage/sweep'
import { jobContext } from '@/server/services'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { makeCommittedRepository } from '@/testing/git-repository'
import { series } from '@/testing/series'
import { useSite } from '@/testing/site'
import type { BackupLocation } from './location/location'
import { listSnapshots } from './location/snapshot'
import {
  addObject,
  backUp,
  copyLocation,
  digestsOfAll,
  openLocationAt,
  piecesIn,
  pushCommit,
  pushFrom,
  refsOfAll,
  restoreInto,
  useContent,
  verified,
} from './testing/backed-up-site'
import { verifyPresence } from './verify'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const site = useSite()
const content = useContent(site)
// The passphrase of a site costs a third of a second each time.
const passphrase = { passphrase: 'correct horse', workFactor: 10 }
const tables = ['users', 'repositories', 'releases', 'attachments', 'access_tokens', 'events']

/** A location in which `during` runs once, after the snapshot of the database and before anything else. */
function afterSnapshot(location: BackupLocation, during: () => Promise<void>): BackupLocation {
  let isFirst = true
  const put: BackupLocation['data']['put'] = async (...args) => {
    const stored = await location.data.put(...args)
    if (isFirst) {
      isFirst = false
      await during()
    }
    return stored
  }
  return { ...location, data: { ...location.data, put } }
}

async function statesOf(db: typeof site.db) {
  return await db
    .selectFrom('repositories')
    .select(['storage_key', 'branch_count', 'tag_count', 'is_empty', 'default_branch'])
    .orderBy('storage_key')
    .execute()
}

const sizesIn = (storage: ObjectStorage, keys: readonly string[]) =>
  Promise.all(keys.map(key => storage.size(key)))

describe('a backup', () => {
  it('restores the rows, refs and objects of a site, and the next one copies none of them again', async () => {
    const directory = content.path()
    const location = await openLocationAt(directory)
    const workDir = content.path()
    const summary = await backUp(site, location, { workDir })
    expect(summary).toMatchObject({ repositories: 5, objects: 5, faults: [] })
    const restored = await restoreInto(content.path(), location)
    expect(restored.summary).toMatchObject({ repositories: 5, objects: 5, pushes: [] })
    expect(await countRows(restored.database.db, tables)).toEqual(await countRows(site.db, tables))
    const { repositoryDir } = site.services.config
    expect(await refsOfAll(restored.database, restored.repositoryDir)).toEqual(
      await refsOfAll(site, repositoryDir),
    )
    expect(await digestsOfAll(restored.database, restored.storage)).toEqual(
      await digestsOfAll(site, site.services.storage),
    )
    await restored.database.close()

    const before = await piecesIn(directory)
    await backUp(site, location, { workDir })
    // The database and the index.
    expect((await piecesIn(directory)).length - before.length).toBe(2)
    expect(await verified(location)).toMatchObject({ repositories: 5, objects: 5, faults: [] })
    await rm(workDir, { recursive: true })
    const middle = await piecesIn(directory)
    await backUp(site, location, { workDir: content.path() })
    expect((await piecesIn(directory)).length - middle.length).toBe(2)
  })

  it('records the refs that moved while it was made as one push of the system per repository', async () => {
    const plain = await openLocationAt(content.path())
    await pushFrom(site, content, 1, 'HEAD:refs/heads/old', 'HEAD:refs/tags/v1')
    const location = afterSnapshot(plain, async () => {
      await pushCommit(site, content, 0)
      await pushCommit(site, content, 0)
      await pushFrom(site, content, 1, 'HEAD:refs/heads/new', ':refs/heads/old', ':refs/tags/v1')
      await pushFrom(site, content, 2, 'HEAD:refs/heads/passing')
      await pushFrom(site, content, 2, ':refs/heads/passing')
      await addObject(site, content.repositories[3]!, 10)
    })
    await backUp(site, location, { workDir: content.path() })
    const restored = await restoreInto(content.path(), plain)
    const moved = restored.summary.pushes.map(({ updates }) => updates.map(({ ref }) => ref).sort())
    expect(moved.sort((a, b) => a.length - b.length)).toEqual([
      ['refs/heads/main'],
      ['refs/heads/new', 'refs/heads/old', 'refs/tags/v1'],
    ])
    expect(await statesOf(restored.database.db)).toEqual(await statesOf(site.db))
    expect(await refsOfAll(restored.database, restored.repositoryDir)).toEqual(
      await refsOfAll(site, site.services.config.repositoryDir),
    )
    const events = await restored.database.db
      .selectFrom('events')
      .select(['kind', 'actor_id', 'data'])
      .where('repository_id', '=', content.repositories[0]!.id)
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    const head = await gitOk(['rev-parse', 'HEAD'], { cwd: content.locals[0]! })
    expect(events).toMatchObject([
      { kind: 'git.pushed', actor_id: null, data: { after: head, commits: 2, skipsWorkflows: true } },
    ])
    await restored.database.close()
  })

  it('that was interrupted leaves the former one valid, and the next one continues', async () => {
    const directory = content.path()
    const [location, workDir] = [await openLocationAt(directory), content.path()]
    const stopping = new AbortController()
    const cut = backUp(site, location, {
      workDir,
      signal: stopping.signal,
      onProgress: ({ phase }) => phase === 'objects' && stopping.abort(new Error('killed')),
    })
    await expect(cut).rejects.toThrow('killed')
    expect(await listSnapshots(location)).toEqual([])
    const before = await piecesIn(directory)
    const { copiedBytes } = await backUp(site, location, { workDir })
    const repositories = 5
    expect(copiedBytes).toBeGreaterThan(0)
    expect(before.length).toBeGreaterThan(repositories)
    expect((await verified(location)).faults).toEqual([])
    // The interrupted backup's copy of the database is gone; its copies of repositories are in use.
    const after = await piecesIn(directory)
    expect(before.filter(name => !after.includes(name))).toHaveLength(1)
    const rows = await site.db.selectFrom('backups').select('outcome').orderBy('id').execute()
    expect(rows.slice(-2)).toEqual([{ outcome: 'stopped' }, { outcome: 'done' }])
  })

  it('is removed with what only it needs when enough newer ones exist', async () => {
    const directory = content.path()
    const [location, workDir] = [await openLocationAt(directory), content.path()]
    await backUp(site, location, { workDir, keep: 1 })
    const first = await piecesIn(directory)
    expect((await backUp(site, location, { workDir, keep: 1 })).removedBackups).toBe(1)
    expect(await listSnapshots(location)).toHaveLength(1)
    expect(await piecesIn(directory)).toHaveLength(first.length)
    expect((await verified(location)).faults).toEqual([])
  })

  it('is complete although pushes, uploads, and deletions go on while it is made', async () => {
    const doomed = await makeCommittedRepository(site, content.ada.account)
    const key = await addObject(site, doomed, 5000)
    const kept = await addObject(site, content.repositories[0]!, 5000)
    const plain = await openLocationAt(content.path())
    let isOver = false
    const goOn = async (n: number): Promise<void> => {
      while (!isOver) {
        await pushCommit(site, content, n)
        await addObject(site, content.repositories[n]!, 2000)
      }
    }
    const others: Promise<void>[] = []
    const location = afterSnapshot(plain, async () => {
      others.push(goOn(3), goOn(4))
      await site.db.deleteFrom('attachments').where('storage_key', '=', kept).execute()
      expect(await call(site, 'DELETE', `/repos${doomed.path}`, { as: content.ada })).toMatchObject({
        status: 204,
      })
      site.now.set(new Date(Date.now() + 86_400_000))
      expect(await sweepObjects(site.services)).toBe(0)
      await sweepRepositories(jobContext(site.services, 'sweep'))
      site.now.set(undefined)
    })
    const { faults } = await backUp(site, location, { workDir: content.path() })
    isOver = true
    await Promise.all(others)
    expect(faults).toEqual([])
    const restored = await restoreInto(content.path(), plain)
    const digests = await digestsOfAll(restored.database, restored.storage)
    expect(Object.keys(digests)).toEqual(expect.arrayContaining([key, kept]))
    for (const [at, refs] of Object.entries(await refsOfAll(restored.database, restored.repositoryDir))) {
      const heads = refs.split('\n').filter(line => line.includes('refs/heads/')).length
      const state = (await statesOf(restored.database.db)).find(row => row.storage_key === at)
      expect(state?.branch_count).toBe(heads)
    }
    await restored.database.close()
    expect(
      await sweepObjects({ ...site.services, clock: { now: () => new Date(Date.now() + 86_400_000) } }),
    ).toBeGreaterThan(0)
    const sizes = await sizesIn(site.services.storage, [key, kept])
    expect(sizes).toEqual([undefined, undefined])
  })

  it('is refused while another one is running', async () => {
    const location = await openLocationAt(content.path())
    const during = afterSnapshot(location, async () => {
      await expect(backUp(site, location, { workDir: content.path() })).rejects.toThrow(
        'another backup is running',
      )
    })
    await backUp(site, during, { workDir: content.path() })
  })
})

describe('an encrypted backup', () => {
  it.each(['passphrase', 'publicKey'] as const)(
    'with a %s can be restored only with its secret',
    async kind => {
      const directory = content.path()
      const workDir = content.path()
      const identity = newIdentity()
      const secrets = kind === 'passphrase' ? passphrase : { publicKey: recipientOf(identity) }
      const location = await openLocationAt(directory, secrets)
      const secretKey = Buffer.from('s'.repeat(32)).toString('base64')
      await backUp(site, location, { workDir, secretKey })
      const before = await piecesIn(directory)
      await backUp(site, await openLocationAt(directory, secrets), { workDir, secretKey })
      expect((await piecesIn(directory)).length - before.length).toBe(2)

      await expect(openLocationAt(directory)).rejects.toThrow('encrypted')
      const opened = await openLocationAt(directory, kind === 'passphrase' ? secrets : { identity })
      expect((await verified(opened)).faults).toEqual([])
      expect((await verifyPresence(location)).faults).toEqual([])
      const restored = await restoreInto(content.path(), opened)
      expect(restored.summary.header.secretKey).toBe(secretKey)
      await restored.database.close()
      for (const name of await piecesIn(directory)) {
        expect((await readFile(join(directory, 'data', name))).subarray(0, 21).toString()).toBe(
          'age-encryption.org/v1',
        )
      }
    },
  )

  it('is refused in a location without encryption, and the other way around', async () => {
    const [plain, encrypted] = [content.path(), content.path()]
    await openLocationAt(plain)
    await openLocationAt(encrypted, passphrase)
    await expect(openLocationAt(plain, passphrase)).rejects.toThrow('not encrypted')
    await expect(openLocationAt(encrypted, { passphrase: 'wrong' })).rejects.toThrow(
      'the passphrase is wrong',
    )
    await expect(openLocationAt(encrypted, { identity: newIdentity() })).rejects.toThrow('for another key')
  })
})

/** Returns the smallest and the largest piece, and one of the others. */
async function oneOfEachKind(directory: string, names: readonly string[]): Promise<string[]> {
  const sizes = await Promise.all(
    names.map(async name => ({ name, size: (await stat(join(directory, 'data', name))).size })),
  )
  const sorted = sizes.sort((a, b) => a.size - b.size).map(({ name }) => name)
  return [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!]
}

describe('a verification', () => {
  it('finds a flipped byte in each piece, a missing piece, and a truncated one', {
    tags: 'series',
  }, async () => {
    const directory = content.path()
    await backUp(site, await openLocationAt(directory), { workDir: content.path() })
    const names = await piecesIn(directory)
    for (const name of series(await oneOfEachKind(directory, names), names)) {
      const copy = content.path()
      await copyLocation(directory, copy)
      const path = join(copy, 'data', name)
      const bytes = await readFile(path)
      const location = await openLocationAt(copy)
      if (bytes.length > 0) {
        const at = Math.floor(bytes.length / 2)
        bytes[at]! ^= 1
        await writeFile(path, bytes)
        expect((await verifyPresence(location)).faults).toEqual([])
        const found = await verified(location).then(
          ({ faults }) => faults,
          error => [String(error)],
        )
        expect(found, name).not.toEqual([])
        await writeFile(path, bytes.subarray(1))
        expect((await verifyPresence(location)).faults).toHaveLength(1)
      }
      await rm(path)
      expect((await verifyPresence(location)).faults).toHaveLength(1)
      await rm(copy, { recursive: true })
    }
  })
})
