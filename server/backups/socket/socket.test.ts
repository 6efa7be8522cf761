import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type OpenDatabase, openDatabase } from '@/db/client'
import { copyEmbeddedDirectory } from '@/db/testing/embedded-template'
import { makeUser } from '@/db/testing/factories'
import { isBackupRunning } from '@/server/kernel/backup-hold'
import { parseConfig } from '@/server/kernel/config'
import { createLog } from '@/server/kernel/log'
import { openStorage } from '@/server/kernel/storage/open'
import { withSocketPath } from '@/server/kernel/unix-socket'
import { createServices, type Services } from '@/server/services'
import { runBackup } from '../run'
import { openLocationAt, verified } from '../testing/backed-up-site'
import { socketName } from './protocol'
import { connectToSite } from './remote'
import { type BackupListener, listenForBackups } from './serve'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let home = ''
let database: OpenDatabase
let services: Services
let listener: BackupListener

beforeAll(async () => {
  // Longer than the path of a socket can be.
  home = join(await mkdtemp(join(tmpdir(), 'guildhall-backup-')), 'd'.repeat(120))
  await copyEmbeddedDirectory(join(home, 'postgres'))
  const config = parseConfig({ GUILDHALL_DATA_DIR: home })
  database = await openDatabase({ dataDir: home })
  const log = createLog('silent')
  services = createServices(config, database, await openStorage(config.storage, log), log)
  listener = await listenForBackups(services)
})
afterAll(async () => {
  await listener.stop()
  await database.close()
  await rm(join(home, '..'), { recursive: true })
})

const reach = async () => {
  const site = await connectToSite(home)
  if (!site) throw new Error('the server does not listen')
  return site
}

describe('a backup of an embedded database that a server uses', () => {
  it('is made from a copy by another process, while the server goes on', async () => {
    await makeUser(database.db, { name: 'before' })
    const { live, close } = await reach()
    const location = await openLocationAt(join(home, 'location'))
    const { repositoryDir } = services.config
    const { storage } = services
    const workDir = join(home, 'backups', 'work')
    const options = { location, repositoryDir, storage, workDir, secretKey: undefined, keep: 7 }
    await runBackup(live, async () => options)
    close()
    expect(await verified(location)).toMatchObject({ rows: 2, faults: [] })
    expect(await isBackupRunning(database.db)).toBe(false)
    await vi.waitFor(async () => expect(await readdir(join(home, 'backups'))).toEqual(['work']))
  })

  // The next test begins another one.
  it('makes deletions wait until its connection ends, and excludes another one until then', async () => {
    const [first, second] = [await reach(), await reach()]
    const begun = await first.live.begin()
    await begun.close()
    expect(await isBackupRunning(database.db)).toBe(true)
    await expect(second.live.begin()).rejects.toThrow('another backup is running')
    second.close()
    first.close()
    await vi.waitFor(async () => expect(await isBackupRunning(database.db)).toBe(false))
    const last = await database.db.selectFrom('backups').selectAll().orderBy('id', 'desc').executeTakeFirst()
    expect(last).toMatchObject({ outcome: 'stopped', message: 'The process that made the backup ended.' })
  })

  it('sees all transactions before it, and none after it', async () => {
    await makeUser(database.db, { name: 'early' })
    const adding = Promise.all(Array.from({ length: 50 }, () => makeUser(database.db)))
    const { live, close } = await reach()
    const begun = await live.begin()
    await adding
    await makeUser(database.db, { name: 'late' })
    const names = (await begun.db.selectFrom('users').select('name').execute()).map(({ name }) => name)
    expect(names).toContain('early')
    expect(names).not.toContain('late')
    await begun.close()
    close()
    await vi.waitFor(async () => expect(await isBackupRunning(database.db)).toBe(false))
  })

  it('is refused if the request is malformed or comes too early', async () => {
    const { live, close } = await reach()
    await expect(live.recordedAmong(['a'])).rejects.toThrow('no backup has begun')
    await expect(live.end({ outcome: 'done', message: 'x'.repeat(3000) })).rejects.toThrow('message')
    close()
    await withSocketPath(home, socketName, async path => {
      const socket = connect(path)
      socket.on('error', () => undefined)
      socket.write('x'.repeat(17 * 1024 * 1024))
      await new Promise(resolve => socket.once('close', resolve))
    })
  })

  it('that fails because the database cannot be copied is recorded as failed', async () => {
    const copying = vi
      .spyOn(services.database, 'copyFiles')
      .mockRejectedValueOnce(new Error('the disk is full'))
    const { live, close } = await reach()
    await expect(live.begin()).rejects.toThrow('the disk is full')
    close()
    copying.mockRestore()
    const last = await database.db.selectFrom('backups').selectAll().orderBy('id', 'desc').executeTakeFirst()
    expect(last).toMatchObject({ outcome: 'failed', message: 'the disk is full' })
  })
})

it('connectToSite returns undefined if no server is running', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'guildhall-backup-'))
  expect(await connectToSite(empty)).toBeUndefined()
  await rm(empty, { recursive: true })
})
