import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Db, OpenDatabase } from '../handle'
import { addAwkwardTables, fillAwkwardTables, fillWithSample, pictureOf } from '../testing/backup-sample'
import { openEmbeddedCopy } from '../testing/embedded-template'
import { makeUser } from '../testing/factories'
import { startPostgres } from '../testing/postgres-server'
import { openServerCopy } from '../testing/server-template'
import { exportDatabase } from './export'
import { importDatabase } from './import'
import { moveDatabase } from './move'
import { countRows } from './row-counts'

// Creating an embedded database takes seconds, and longer on a busy host.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const server = await startPostgres()
afterAll(() => server?.stop())

const opened: OpenDatabase[] = []
afterAll(async () => {
  for (const database of opened) await database.close()
})

// Tests whose result does not depend on the kind of database use the faster one.
const quicker = server ? 'server' : 'embedded'
const openers = {
  embedded: openEmbeddedCopy,
  server: () => openServerCopy(server!.url),
}
type Kind = keyof typeof openers

async function open(kind: Kind): Promise<Db> {
  const database = await openers[kind]()
  opened.push(database)
  return database.db
}

async function openAwkward(kind: Kind): Promise<Db> {
  const db = await open(kind)
  await addAwkwardTables(db)
  return db
}

async function openFilled(kind: Kind): Promise<Db> {
  const db = await openAwkward(kind)
  await fillWithSample(db)
  await fillAwkwardTables(db)
  return db
}

// Exports do not change a database, so the tests share one of each kind.
const filled: Partial<Record<Kind, Promise<Db>>> = {}
const sourceOf = (kind: Kind): Promise<Db> => (filled[kind] ??= openFilled(kind))

/** Returns the next user ID, found by adding a user and deleting it again. */
async function nextId(db: Db): Promise<number> {
  const { id } = await makeUser(db)
  await db.deleteFrom('users').where('id', '=', id).execute()
  return id
}

const backupOf = (db: Db): Promise<Buffer> => buffer(exportDatabase(db))

async function isEmpty(db: Db): Promise<boolean> {
  const counts = await countRows(db, ['users', 'events', 'access_tokens'])
  return Object.values(counts).every(count => count === 0)
}

const directions = [
  { from: 'embedded', to: 'embedded' },
  { from: 'embedded', to: 'server' },
  { from: 'server', to: 'embedded' },
] as const

describe.each(directions)('importDatabase ($from to $to)', ({ from, to }) => {
  it.skipIf((from === 'server' || to === 'server') && !server)(
    'restores every row byte for byte and never reuses an ID',
    // With a server, the other direction and `moveDatabase` cover both kinds.
    server && from === 'embedded' ? { tags: 'slow' } : {},
    async () => {
      const source = await sourceOf(from)
      const target = await openAwkward(to)
      const { rows } = await importDatabase(target, Readable.from([await backupOf(source)]))
      expect(await pictureOf(target)).toEqual(await pictureOf(source))
      expect(rows).toMatchObject({ events: 1717, nodes: 2, login_sources: 0 })
      expect(await nextId(target)).toBe(await nextId(source))
    },
  )
})

describe.skipIf(!server)('moveDatabase', () => {
  it('copies everything from the embedded database to a server, and never reuses an ID', async () => {
    const source = await sourceOf('embedded')
    const target = await openAwkward('server')
    expect(await moveDatabase(source, target)).toMatchObject({ users: 2, events: 1717 })
    expect(await pictureOf(target)).toEqual(await pictureOf(source))
    expect(await nextId(target)).toBe(await nextId(source))
    await expect(moveDatabase(source, target)).rejects.toThrow('the target database is not empty')
  })
})

describe('a backup', () => {
  let source: Db
  let target: Db
  let bytes: Buffer
  beforeAll(async () => {
    source = await open(quicker)
    target = await open(quicker)
    await fillWithSample(source, { large: 2 })
    bytes = await backupOf(source)
  })

  const restore = (content: Buffer) => importDatabase(target, Readable.from([content]))
  const edited = (edit: (text: string) => string) =>
    gzipSync(edit(gunzipSync(bytes).toString()), { level: 1 })

  it('can be read in chunks of any size', async () => {
    const small = Array.from({ length: 200 }, (_, n) => bytes.subarray(n * 7, n * 7 + 7))
    const rest = bytes.subarray(200 * 7)
    const failing = importDatabase(target, Readable.from([...small, rest]), {
      beforeCommit: async () => {
        throw new Error('read to the end')
      },
    })
    await expect(failing).rejects.toThrow('read to the end')
    expect(await isEmpty(target)).toBe(true)
  })

  it.each([0, 1, 10, 100, 0.5, 0.99])(
    'truncated at %d (in bytes, or as a fraction below 1) is rejected and leaves the target empty',
    async at => {
      const length = at < 1 ? Math.floor(bytes.length * at) : at
      await expect(restore(bytes.subarray(0, length))).rejects.toThrow(/damaged or truncated/)
      expect(await isEmpty(target)).toBe(true)
    },
  )

  const damages: [string, (text: string) => string][] = [
    ['a changed value', text => text.replace('"sample"', '"Sample"')],
    ['a missing row', text => text.replace(/^\[.*"many".*\n/m, '')],
    ['a duplicate row', text => text.replace(/^(\["\d+","sample".*\n)/m, '$1$1')],
    ['no trailer', text => text.replace(/^\{"rows".*\n/m, '')],
    ['data after the trailer', text => `${text}{}\n`],
    ['a missing table', text => text.replace(/^\{"table":"login_sources".*\n/m, '')],
    ['an unknown table', text => text.replace('"table":"login_sources"', '"table":"pg_class"')],
    ['a missing column', text => text.replace('"columns":["id","name","type"', '"columns":["id","name"')],
    ['a line that is not JSON', text => text.replace('{"sequences"', '{"sequences')],
  ]
  it.each(damages)('with %s is rejected and leaves the target empty', async (_, damage) => {
    await expect(restore(edited(damage))).rejects.toThrow(/damaged or truncated|cannot restore/)
    expect(await isEmpty(target)).toBe(true)
  })

  it('with a flipped bit is rejected and leaves the target empty', async () => {
    for (let offset = 20; offset < bytes.length; offset += Math.floor(bytes.length / 7)) {
      const flipped = Buffer.from(bytes)
      flipped[offset]! ^= 4
      await expect(restore(flipped)).rejects.toThrow()
      expect(await isEmpty(target)).toBe(true)
    }
  })

  it('from a version with other migrations, or in another format, is rejected with the reason', async () => {
    await expect(
      restore(edited(text => text.replace('"migrations":[', '"migrations":["9999-later",'))),
    ).rejects.toThrow('newer version')
    await expect(
      restore(edited(text => text.replace(/"migrations":\[.*?\]/, '"migrations":[]'))),
    ).rejects.toThrow('older version')
    await expect(restore(edited(text => text.replace('"version":1', '"version":2')))).rejects.toThrow(
      'version 2',
    )
    await expect(restore(Buffer.from('a letter\n'))).rejects.toThrow('not a Guildhall backup')
    await expect(restore(gzipSync('{"a":1}\n'))).rejects.toThrow('not a Guildhall backup')
  })

  it('cannot be restored into a database that contains rows', async () => {
    await makeUser(target)
    await expect(restore(bytes)).rejects.toThrow('the target database is not empty: there are rows in users')
    expect(await countRows(target, ['users', 'events'])).toEqual({ users: 1, events: 0 })
  })
})
