import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '@/db/migrate'
import { migrations } from '@/db/migrations'
import { openServer } from '@/db/server/open'
import { startPostgres } from '@/db/testing/postgres-server'
import { createServerDatabase } from '@/db/testing/server-template'
import { type S3Server, startS3rver } from '@/server/kernel/storage/testing/s3-servers'
import { adminHeaders } from './api'
import {
  admin,
  adminEnvironment,
  dataDirectory,
  type Guildhall,
  start,
  startAndFail,
  temporaryDirectory,
  withDatabase,
} from './guildhall'

const postgres = await startPostgres()
const soon = { timeout: 15_000, interval: 100 }
const otherKey = 'o'.repeat(40)

async function makeRepository({ url }: Guildhall, name: string): Promise<Response> {
  const body = JSON.stringify({ name })
  return await fetch(`${url}/api/v1/user/repos`, { method: 'POST', headers: adminHeaders, body })
}

async function expectRefused(environment: Record<string, string>, says: string): Promise<void> {
  const { code, output } = await startAndFail(environment)
  expect([code, output]).toEqual([1, expect.stringContaining(says)])
  expect(output).not.toMatch(/\n\s+at /)
}

const filesIn = (path: string): Promise<string[]> => readdir(path, { recursive: true }).catch(() => [])

/** Returns the contents of a directory and its modification time; undefined if it does not exist. */
async function lookAt(path: string): Promise<unknown> {
  const facts = await stat(path).catch(() => undefined)
  return facts && { files: await filesIn(path), mtimeMs: facts.mtimeMs }
}

/** Expects that a start is rejected and leaves a directory unchanged. */
async function expectUntouched(
  path: string,
  environment: Record<string, string>,
  says: string,
): Promise<void> {
  const before = await lookAt(path)
  await expectRefused(environment, says)
  expect(await lookAt(path)).toEqual(before)
}

/** Returns the environment variables that select a bucket. */
function bucketEnvironment({ settings }: S3Server): Record<string, string> {
  return {
    GUILDHALL_STORAGE: 's3',
    GUILDHALL_S3_ENDPOINT: settings.endpoint ?? '',
    GUILDHALL_S3_REGION: settings.region,
    GUILDHALL_S3_BUCKET: settings.bucket,
    GUILDHALL_S3_PREFIX: settings.prefix,
    GUILDHALL_S3_ACCESS_KEY_ID: settings.credentials?.accessKeyId ?? '',
    GUILDHALL_S3_SECRET_ACCESS_KEY: settings.credentials?.secretAccessKey ?? '',
  }
}

it('a process with an embedded database does not start with another key, directory or bucket, and starts again with the original ones', {
  tags: 'slow',
}, async () => {
  await using directory = await dataDirectory()
  const environment = { GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment }
  const first = await start(environment)
  expect((await makeRepository(first, 'tools')).status).toBe(201)
  expect(await first.end('SIGTERM')).toBe(0)

  const elsewhere = join(directory.path, 'elsewhere')
  await expectRefused({ ...environment, GUILDHALL_SECRET_KEY: otherKey }, 'GUILDHALL_SECRET_KEY is not')
  const repositoryDir = { ...environment, GUILDHALL_REPOSITORY_DIR: elsewhere }
  await expectUntouched(elsewhere, repositoryDir, 'GUILDHALL_REPOSITORY_DIR: ')
  const storageDir = { ...environment, GUILDHALL_STORAGE_DIR: elsewhere }
  await expectUntouched(elsewhere, storageDir, 'GUILDHALL_STORAGE_DIR: ')
  await mkdir(elsewhere)
  await expectUntouched(elsewhere, storageDir, 'GUILDHALL_STORAGE_DIR: ')
  const bucket = await startS3rver()
  await expectRefused({ ...environment, ...bucketEnvironment(bucket) }, 'GUILDHALL_S3_BUCKET: ')
  await bucket.stop()

  // Simulates an upgrade from a version without marks while the share with the repositories is not mounted.
  await withDatabase({ dataDir: directory.path }, ({ db }) => db.deleteFrom('site_marks').execute())
  const repositories = join(directory.path, 'repositories')
  await rm(join(repositories, 'guildhall-mark'))
  await rm(join(directory.path, 'objects', '00'), { recursive: true })
  await rename(repositories, `${repositories}.away`)
  await expectRefused(environment, 'GUILDHALL_REPOSITORY_DIR: ')
  expect(await filesIn(repositories)).toEqual([])
  await rename(`${repositories}.away`, repositories)
  const upgraded = await start(environment)
  const found = await fetch(`${upgraded.url}/${admin.name}/tools.git/info/refs?service=git-upload-pack`)
  expect(found.status).toBe(200)
  expect(await upgraded.end('SIGTERM')).toBe(0)
})

describe.skipIf(!postgres)('a site on PostgreSQL with a bucket', () => {
  let database: Awaited<ReturnType<typeof createServerDatabase>>
  let bucket: S3Server
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>
  let environment: Record<string, string>
  let guildhall: Guildhall
  beforeAll(async () => {
    database = await createServerDatabase(postgres!.url)
    bucket = await startS3rver()
    directory = await temporaryDirectory()
    environment = {
      DATABASE_URL: database.url,
      GUILDHALL_DATA_DIR: join(directory.path, 'data'),
      ...bucketEnvironment(bucket),
      ...adminEnvironment,
    }
    guildhall = await start(environment)
  })
  afterAll(async () => {
    expect(await guildhall.end('SIGTERM')).toBe(0)
    await directory[Symbol.asyncDispose]()
    await bucket.stop()
    await database.drop()
    await postgres?.stop()
  })

  it('does not let a third process start with another key, directory or bucket, and the others continue', {
    tags: 'slow',
  }, async () => {
    const elsewhere = join(directory.path, 'elsewhere')
    const second = await start(environment)
    await Promise.all([
      expectRefused({ ...environment, GUILDHALL_SECRET_KEY: otherKey }, 'GUILDHALL_SECRET_KEY is not'),
      expectRefused({ ...environment, GUILDHALL_DATA_DIR: elsewhere }, 'GUILDHALL_SECRET_KEY: '),
    ])
    await Promise.all([
      expectRefused({ ...environment, GUILDHALL_REPOSITORY_DIR: elsewhere }, 'GUILDHALL_REPOSITORY_DIR: '),
      expectRefused({ ...environment, GUILDHALL_S3_PREFIX: 'else/where' }, 'GUILDHALL_S3_BUCKET: '),
    ])
    expect(await lookAt(elsewhere)).toBeUndefined()
    await mkdir(elsewhere)
    const text = await readFile(join(directory.path, 'data', 'secret-key'), 'utf8')
    const key = { GUILDHALL_SECRET_KEY: text.trim() }
    await Promise.all([
      expectUntouched(
        elsewhere,
        { ...environment, GUILDHALL_DATA_DIR: elsewhere, ...key },
        '_REPOSITORY_DIR: ',
      ),
      expectUntouched(
        elsewhere,
        { ...environment, GUILDHALL_STORAGE: 'disk', GUILDHALL_STORAGE_DIR: elsewhere },
        'GUILDHALL_STORAGE_DIR: ',
      ),
    ])
    for (const [name, process] of Object.entries({ tools: guildhall, more: second })) {
      expect((await makeRepository(process, name)).status).toBe(201)
      expect((await fetch(`${process.url}/readyz`)).status).toBe(200)
    }
    expect(await second.end('SIGTERM')).toBe(0)
  })

  it('rejects new repositories while the repository directory is missing, and reports the problem until the directory is back', async () => {
    const repositories = join(directory.path, 'data', 'repositories')
    const body = JSON.stringify({ name: 'filled', auto_init: true })
    await fetch(`${guildhall.url}/api/v1/user/repos`, { method: 'POST', headers: adminHeaders, body })
    await rename(repositories, `${repositories}.away`)
    const ready = async () => await (await fetch(`${guildhall.url}/readyz`)).text()
    await expect.poll(ready, soon).toContain('the repository directory does not belong to this site')
    const refused = await makeRepository(guildhall, 'lost')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    const fetched = `${guildhall.url}/${admin.name}/filled.git/info/refs?service=git-upload-pack`
    expect((await fetch(fetched)).status).toBe(503)
    for (const path of [
      `api/v1/repos/${admin.name}/filled/branches`,
      `${admin.name}/filled/archive/main.tar.gz`,
    ]) {
      const read = await fetch(`${guildhall.url}/${path}`)
      expect([path, read.status, read.headers.get('retry-after')]).toEqual([path, 503, '5'])
    }
    expect(await filesIn(repositories)).toEqual([])
    await rename(`${repositories}.away`, repositories)
    await expect.poll(ready, soon).toBe('{"status":"ok"}')
    expect((await makeRepository(guildhall, 'kept')).status).toBe(201)
  })

  // This must be the last test, because the process cannot write afterward.
  it('lets an older process continue after a newer version migrates the database, and stops its writes after a breaking migration', async () => {
    const newer = (name: string, breaksOlder: boolean) => ({
      [name]: { up: async () => undefined, breaksOlder },
    })
    const open = await openServer(database.url, { poolSize: 2 })
    const alongside = { ...migrations, ...newer('9998-beside', false) }
    await migrate(open.db, alongside)
    await expect.poll(() => guildhall.output(), soon).toContain('continues to run alongside it')
    expect((await makeRepository(guildhall, 'beside')).status).toBe(201)

    await migrate(open.db, { ...alongside, ...newer('9999-breaking', true) })
    const refused = await makeRepository(guildhall, 'late')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.text()).toContain('a newer version of this site is taking over')
    await expect.poll(() => guildhall.output(), soon).toContain('no longer writes to it')
    const upload = await fetch(`${guildhall.url}/api/uploads`, { method: 'POST', headers: adminHeaders })
    expect([upload.status, upload.headers.get('retry-after')]).toEqual([503, '5'])
    const pushed = `${guildhall.url}/${admin.name}/beside.git/info/refs?service=git-receive-pack`
    expect((await fetch(pushed, { headers: adminHeaders })).status).toBe(503)
    expect((await fetch(`${guildhall.url}/api/v1/repos/${admin.name}/beside`)).status).toBe(200)
    const ready = await fetch(`${guildhall.url}/readyz`)
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining('migrated by a newer version'),
    ])
    expect(guildhall.output().match(/no longer writes to it/g)).toHaveLength(1)
    const { rows } = await sql<{ name: string }>`select name from repositories where name = 'late'`.execute(
      open.db,
    )
    expect(rows).toEqual([])
    await open.close()
  })
})
