import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { makeAttachment, makeRelease, makeRepository, makeUser } from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { ConfigError } from '@/server/kernel/config-error'
import { unavailable } from '@/server/kernel/errors'
import { createLog } from '@/server/kernel/log'
import { seal } from '@/server/kernel/seal'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { repositoryPath } from '@/server/repos/storage'
import { locationsOf, proveBelongings, settleBelongings } from '.'
import { selectMarks } from './store'

const log = createLog('silent')
let home: string
let database: OpenDatabase
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-marks-'))
  database = await openTestDatabase()
})
afterEach(async () => {
  await database.close()
  await rm(home, { recursive: true, force: true })
})

interface Start {
  key?: string | undefined
  data?: string
  repositories?: string
  objects?: string
  storage?: ObjectStorage
}

/** Settings and locations of a process; each name is relative to the temporary directory. */
function belongings({
  key,
  data = 'data',
  repositories = 'repositories',
  objects = 'objects',
  storage,
}: Start = {}) {
  const directory = join(home, objects)
  const config = {
    secretKey: key,
    dataDir: join(home, data),
    repositoryDir: join(home, repositories),
    storage: { kind: 'disk', directory } as const,
  }
  return { config, locations: locationsOf(config, storage ?? createDiskStorage(directory, log)), log }
}

const start = (settings: Start = {}) => settleBelongings(database, belongings(settings))
const refusal = async (settings: Start = {}): Promise<string> => {
  const error: unknown = await start(settings).catch(failure => failure)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as Error).message
}
/** Content and modification time of a directory; undefined if it does not exist. */
const lookOf = async (name: string) => {
  const changed = await stat(join(home, name)).catch(() => undefined)
  return changed && { files: await filesIn(name), mtimeMs: changed.mtimeMs }
}
const filesIn = async (name: string): Promise<string[]> =>
  await readdir(join(home, name), { recursive: true }).catch(() => [])

/** Adds a repository to the database without a mark, and its data to a directory. */
async function addRepository(directory?: string) {
  const { id } = await makeUser(database.db)
  const repository = await makeRepository(database.db, id)
  if (directory) {
    const path = repositoryPath({ repositoryDir: join(home, directory) }, repository.storage_key)
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'HEAD'), 'ref: refs/heads/main\n')
  }
  return repository
}

describe('the first start of a site', () => {
  it('creates the key and marks, which later starts accept', async () => {
    const key = await start()
    expect(await start()).toBe(key)
    await proveBelongings(database.db, belongings())
    expect(await readFile(join(home, 'repositories', 'guildhall-mark'), 'utf8')).toMatch(
      /^[0-9a-f]{32}\nThis says/,
    )
    expect(await filesIn('objects')).toContain(join('00', '0'.repeat(32)))
  })

  it('creates only one key if several processes start at the same time', async () => {
    const keys = await Promise.all([start(), start(), start()])
    expect(new Set(keys).size).toBe(1)
  })

  it('succeeds for only one of two processes that start with different directories', async () => {
    const key = 'k'.repeat(32)
    const begun = await Promise.allSettled([
      start({ key, repositories: 'one' }),
      start({ key, repositories: 'two' }),
    ])
    expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect([...(await filesIn('one')), ...(await filesIn('two'))]).toEqual(['guildhall-mark'])
  })

  it.each([true, false])(
    'is completed by the next start if it was interrupted, with the directory already marked: %s',
    async isMarked => {
      await start()
      await database.db.updateTable('site_marks').set({ is_written: false }).execute()
      await database.db
        .updateTable('site_marks')
        .set({ is_written: true })
        .where('thing', '=', 'secret_key')
        .execute()
      if (!isMarked) await rm(join(home, 'repositories'), { recursive: true })
      await start()
      expect((await selectMarks(database.db)).repositories?.isWritten).toBe(true)
      expect(await filesIn('repositories')).toEqual(['guildhall-mark'])
    },
  )

  it('can be completed in another directory if it was interrupted, and then the first directory is refused', async () => {
    await start()
    await database.db.updateTable('site_marks').set({ is_written: false }).execute()
    const key = await start({ repositories: 'other' })
    expect(await refusal({ key })).toMatch(/^GUILDHALL_REPOSITORY_DIR: .*another site's/)
    await start({ repositories: 'other' })
  })
})

describe('the start of a site is refused', () => {
  it('with a different secret key, with a message that names its setting and the remedy', async () => {
    const key = await start()
    expect(await refusal({ key: 'o'.repeat(32) })).toMatch(
      /^GUILDHALL_SECRET_KEY is not the secret key.*Set it to/,
    )
    await writeFile(join(home, 'data', 'secret-key'), `${'o'.repeat(64)}\n`)
    expect(await refusal()).toMatch(/^GUILDHALL_DATA_DIR: .*secret-key does not contain.*from a backup/)
    await expect(proveBelongings(database.db, belongings())).rejects.toThrow(ConfigError)
    expect(await start({ key })).toBe(key)
  })

  it('without a secret key, and no new key is created', async () => {
    await start()
    expect(await refusal({ data: 'elsewhere' })).toMatch(
      /^GUILDHALL_SECRET_KEY: .*neither set nor in .*elsewhere/,
    )
    expect(await filesIn('elsewhere')).toEqual([])
  })

  it.each([
    ['repositories', 'GUILDHALL_REPOSITORY_DIR'],
    ['objects', 'GUILDHALL_STORAGE_DIR'],
  ] as const)(
    "if the directory of %s is not mounted or is another site's, and nothing is written there",
    async (thing, variable) => {
      await start()
      await rename(join(home, thing), join(home, 'aside'))
      const unmounted = async () => {
        const before = await lookOf(thing)
        expect(await refusal()).toMatch(
          new RegExp(`^${variable}: .*is missing.*Mount it.*npm run site:adopt`),
        )
        await expect(proveBelongings(database.db, belongings())).rejects.toThrow(variable)
        expect(await lookOf(thing)).toEqual(before)
      }
      await unmounted()
      await mkdir(join(home, thing))
      await unmounted()
      await rm(join(home, thing), { recursive: true })

      const other = await openTestDatabase()
      await settleBelongings(
        other,
        belongings({ data: 'other', repositories: 'theirs', objects: 'others', [thing]: thing }),
      )
      await other.close()
      const theirs = await filesIn(thing)
      expect(await refusal()).toMatch(new RegExp(`^${variable}: .*another site's`))
      expect(await filesIn(thing)).toEqual(theirs)

      await rm(join(home, thing), { recursive: true })
      await rename(join(home, 'aside'), join(home, thing))
    },
  )

  it("for a new site in another site's directory", async () => {
    await start()
    const other = await openTestDatabase()
    await expect(settleBelongings(other, belongings({ data: 'other' }))).rejects.toThrow(
      /GUILDHALL_REPOSITORY_DIR.*another site's/,
    )
    await other.close()
  })
})

describe('the first start of a site from a version without marks', () => {
  it('marks the locations if all checked items exist', async () => {
    for (let count = 0; count < 25; count++) await addRepository('repositories')
    await start()
    expect(Object.keys(await selectMarks(database.db)).sort()).toEqual([
      'objects',
      'repositories',
      'secret_key',
    ])
  })

  it('is refused, without any loss, if the directory does not contain the repositories', async () => {
    await addRepository('repositories')
    await rename(join(home, 'repositories'), join(home, 'aside'))
    expect(await refusal()).toMatch(/^GUILDHALL_REPOSITORY_DIR: .*1 of 1 checked items are missing/)
    expect(await filesIn('repositories')).toEqual([])
    expect((await selectMarks(database.db)).repositories).toBeUndefined()
    expect(await readdir(home)).toEqual(['aside'])
    await rename(join(home, 'aside'), join(home, 'repositories'))
    await start()
  })

  it('is refused if the storage does not contain the files', async () => {
    const repository = await addRepository('repositories')
    const release = await makeRelease(database.db, repository.id)
    const { storage_key: key } = await makeAttachment(database.db, release)
    expect(await refusal()).toMatch(/^GUILDHALL_STORAGE_DIR: .*1 of 1 checked items are missing/)
    expect(await filesIn('objects')).toEqual([])
    await createDiskStorage(join(home, 'objects'), log).put(key, Readable.from([Buffer.from('x')]))
    await start()
  })

  it('does not count files as missing that another process deletes concurrently, but counts all others', async () => {
    const repository = await addRepository('repositories')
    const release = await makeRelease(database.db, repository.id)
    const { storage_key: key } = await makeAttachment(database.db, release)
    const removed = { [key]: true }
    const disk = createDiskStorage(join(home, 'objects'), log)
    const size = async (key: string) => {
      if (removed[key]) await database.db.deleteFrom('attachments').where('storage_key', '=', key).execute()
      return await disk.size(key)
    }
    const { storage_key: kept } = await makeAttachment(database.db, release)
    expect(await refusal({ storage: { ...disk, size } })).toMatch(/1 of 1 checked items are missing/)
    removed[kept] = true
    await start({ storage: { ...disk, size } })
  })

  it('checks the same repositories every time', async () => {
    const keys: string[] = []
    for (let count = 0; count < 25; count++) keys.push((await addRepository()).storage_key)
    const looks = await Promise.all([refusal(), refusal()])
    expect(new Set(looks).size).toBe(1)
    expect(looks[0]).toContain(`20 of 20 checked items are missing, such as ${keys.sort()[0]}`)
  })

  it('refuses a secret key that decrypts less than half of the encrypted values', async () => {
    const [right, wrong] = ['r'.repeat(32), 'w'.repeat(32)]
    const addSecret = (name: string, secretKey: string) =>
      database.db
        .insertInto('workflow_variables')
        .values({ is_secret: true, name, value_sealed: seal({ secretKey }, 'workflow.secret', 'x') })
        .execute()
    for (const name of ['A', 'B', 'C']) await addSecret(name, right)
    await addSecret('D', wrong)
    expect(await refusal({ key: wrong })).toMatch(/^GUILDHALL_SECRET_KEY is not/)
    expect(await refusal()).toMatch(/^GUILDHALL_SECRET_KEY: .*neither set/)
    expect(await start({ key: right })).toBe(right)
  })
})

describe('an object storage that cannot be reached', () => {
  const failure = (cause: object) =>
    unavailable('the storage cannot be reached right now', { cause: Object.assign(new Error('no'), cause) })
  const failing = () => Promise.reject(failure({ code: 'EIO', syscall: 'read' }))
  /** Starts a process with a bucket that fails with this cause. */
  const startWithBucket = async (cause: object) => {
    const made = belongings()
    const locations = made.locations.map(location =>
      location.thing === 'objects'
        ? { ...location, isRemote: true, readMark: () => Promise.reject(failure(cause)) }
        : location,
    )
    await settleBelongings(database, { ...made, locations })
  }

  it('does not prevent the start of a site that has marked it, unless it denies access', async () => {
    await start()
    await startWithBucket({ code: 'ECONNREFUSED', syscall: 'connect' })
    for (const httpStatusCode of [408, 429, 503]) await startWithBucket({ $metadata: { httpStatusCode } })
    await expect(
      startWithBucket({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }),
    ).rejects.toThrow(/^GUILDHALL_STORAGE_DIR: cannot use .*AccessDenied: no$/)
  })

  it('prevents a start if it is a directory, and nothing is written there', async () => {
    await start()
    const before = await lookOf('objects')
    const storage = { ...createDiskStorage(join(home, 'objects'), log), get: failing }
    expect(await refusal({ storage })).toMatch(/^GUILDHALL_STORAGE_DIR: cannot use /)
    expect(await lookOf('objects')).toEqual(before)
  })

  it('is not marked, and prevents the first start', async () => {
    const storage = { ...createDiskStorage(join(home, 'objects'), log), get: failing }
    expect(await refusal({ storage })).toMatch(
      /^GUILDHALL_STORAGE_DIR: cannot use the object directory .*: no$/,
    )
  })
})
