// @module-tag slow
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from '@/db/client'
import { compileScript, type Script } from '@/db/testing/child-process'
import { copyEmbeddedDirectory } from '@/db/testing/embedded-template'
import { makeAttachment, makeRelease, makeRepository, makeUser } from '@/db/testing/factories'
import { parseConfig } from '@/server/kernel/config'
import { createLog } from '@/server/kernel/log'
import { newObjectKey } from '@/server/kernel/storage/key'
import { openStorage } from '@/server/kernel/storage/open'
import { dropIntent, makeBareRepository, newStorageKey } from '@/server/repos/storage'
import { parseLocation } from './location/address'
import { openLocation } from './location/location'
import { findSnapshot, readSnapshot } from './location/snapshot'

const scale = Number(process.env.GUILDHALL_TEST_BACKUP_SCALE ?? 0.1)
const repositories = 1_000 * scale
const objects = 500 * scale
const objectBytes = 10_000_000 * scale
const flips = 20

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 })

let home = ''
let script: Script
const dataDir = () => join(home, 'data')
const backups = () => join(home, 'backups')
const encrypted = { GUILDHALL_BACKUP_PASSPHRASE: 'correct horse battery' }

beforeAll(async () => {
  script = await compileScript(`import './server/commands/main'`)
  home = await mkdtemp(join(tmpdir(), 'guildhall-large-'))
  await copyEmbeddedDirectory(join(dataDir(), 'postgres'))
  await fill()
})
afterAll(async () => {
  await script.remove()
  await rm(home, { recursive: true, force: true })
})

async function fill(): Promise<void> {
  const config = parseConfig({ GUILDHALL_DATA_DIR: dataDir() })
  const { db, close } = await openDatabase({ dataDir: dataDir() })
  const storage = await openStorage(config.storage, createLog('silent'))
  const owner = await makeUser(db)
  const author = { name: 'A', email: 'a@example.test', date: new Date() }
  for (let n = 0; n < repositories; n++) {
    const storageKey = newStorageKey()
    const files = { data: randomBytes(10_000).toString('base64') }
    const firstCommit = { message: 'First', author, files }
    await makeBareRepository(config, { storageKey, objectFormat: 'sha1', defaultBranch: 'main', firstCommit })
    const row = { storage_key: storageKey, is_empty: false, branch_count: 1 }
    const repository = await makeRepository(db, owner.id, row)
    await dropIntent(config, storageKey)
    if (n >= objects) continue
    const key = newObjectKey()
    const stored = await storage.put(key, Readable.from([randomBytes(objectBytes)]))
    const release = await makeRelease(db, repository.id, { tag_name: 'v1' })
    await makeAttachment(db, release, { storage_key: key, ...stored })
  }
  await close()
}

function start(name: string, args: string[], directory = dataDir()) {
  const env = { DATABASE_URL: '', GUILDHALL_SECRET_KEY: '', GUILDHALL_DATA_DIR: directory, ...encrypted }
  return script.start([name, ...args], { cwd: home, env })
}

async function run(...args: Parameters<typeof start>): Promise<{ code: number | null; output: string }> {
  const child = start(...args)
  const lines: string[] = []
  for (let line = await child.line(); line !== undefined; line = await child.line()) lines.push(line)
  const { code, errors } = await child.ended()
  return { code, output: `${lines.join('\n')}${errors}` }
}

const pieces = async (): Promise<string[]> =>
  (await readdir(join(backups(), 'data'), { recursive: true }).catch(() => [])).filter(name =>
    /[0-9a-f]{32}$/.test(name),
  )

// Neither those that only earlier backups name, such as their databases, nor the index: without it, nothing else is
// looked at.
async function piecesOfLastBackup(): Promise<string[]> {
  const settings = parseLocation(backups(), {})
  const location = await openLocation(settings, { secrets: undefined, log: createLog('silent') })
  const named = new Set<string>()
  const key = await findSnapshot(location)
  const { index } = await readSnapshot(location, key, ({ piece }) => named.add(piece))
  named.delete(index.piece)
  return (await pieces()).filter(path => named.has(basename(path))).sort()
}

it('a large backup that is killed is continued, can be restored, and any flipped byte is found', async () => {
  const cut = start('backup', [backups()])
  while ((await pieces()).length < repositories / 2) await sleep(50)
  cut.process.kill('SIGKILL')
  await cut.ended()
  const before = await pieces()
  const changed = await Promise.all(
    before.map(async name => (await stat(join(backups(), 'data', name))).mtimeMs),
  )

  expect(await run('backup', [backups()])).toMatchObject({ code: 0 })
  const after = new Set(await pieces())
  const kept = before.filter(name => after.has(name))
  // All but the database, and the repositories that were being copied.
  expect(kept.length).toBeGreaterThanOrEqual(before.length - 5)
  for (const name of kept) {
    expect((await stat(join(backups(), 'data', name))).mtimeMs).toBe(changed[before.indexOf(name)])
  }
  const again = await run('backup', [backups()])
  expect(again.output).toMatch(/of which [\d.]+ [KM]B are new/)
  expect(await run('verify-backup', [backups()])).toMatchObject({ code: 0 })

  const target = join(home, 'restored')
  await copyEmbeddedDirectory(join(target, 'postgres'))
  const interrupted = start('restore', [backups()], target)
  while ((await readdir(join(target, 'repositories')).catch(() => [])).length < repositories / 10)
    await sleep(50)
  interrupted.process.kill('SIGKILL')
  await interrupted.ended()
  const restored = await run('restore', [backups()], target)
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('interrupted restoration') })
  expect(restored.output).toContain(`${repositories.toLocaleString('en')} repositories, ${objects} objects`)

  const names = await piecesOfLastBackup()
  expect(names.length).toBeGreaterThanOrEqual(flips)
  for (let flip = 0; flip < flips; flip++) {
    const path = join(backups(), 'data', names[Math.floor((names.length / flips) * flip)]!)
    const bytes = await readFile(path)
    bytes[Math.floor(bytes.length * (flip / flips))]! ^= 1
    await writeFile(path, bytes)
  }
  const damaged = await run('verify-backup', [backups()])
  expect(damaged.code).toBe(1)
  expect(Number(/has (\d+) faults/.exec(damaged.output)?.[1])).toBeGreaterThanOrEqual(flips)
})
