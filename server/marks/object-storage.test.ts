import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { createLog } from '@/server/kernel/log'
import { openStorage } from '@/server/kernel/storage/open'
import type { AzureSettings, S3Settings } from '@/server/kernel/storage/settings'
import { startAzurite } from '@/server/kernel/storage/testing/azurite'
import { startS3rver } from '@/server/kernel/storage/testing/s3-servers'
import { guardLocations, locationsOf, settleBelongings } from '.'

const log = createLog('silent')

describe.each([
  ['bucket', 'GUILDHALL_S3_BUCKET', startS3rver],
  ['container', 'GUILDHALL_AZURE_CONTAINER', startAzurite],
] as const)('the file that marks a %s as belonging to the site', (_, variable, startRemote) => {
  let remote: { settings: S3Settings | AzureSettings; stop(): Promise<void> }
  let home: string
  let database: OpenDatabase
  beforeAll(async () => {
    remote = await startRemote()
    home = await mkdtemp(join(tmpdir(), 'guildhall-remote-'))
    database = await openTestDatabase()
  })
  afterAll(async () => {
    await database.close()
    await rm(home, { recursive: true })
    await remote.stop()
  })

  /** Settings and locations of a process that stores its objects there. */
  async function belongings(prefix = remote.settings.prefix, directory = 'data') {
    const storage = { ...remote.settings, prefix }
    const dataDir = join(home, directory)
    const config = { secretKey: undefined, dataDir, repositoryDir: join(dataDir, 'repositories'), storage }
    return { config, locations: locationsOf(config, await openStorage(storage, log)), log }
  }

  it('is written at the first start, accepted at the next one, and accepted while the process runs', async () => {
    await settleBelongings(database, await belongings())
    const again = await belongings()
    await settleBelongings(database, again)
    await guardLocations(database.db, again.locations, log).requireObjects()
  })

  it('is required at the next start, which refuses a different prefix and writes nothing there', async () => {
    const elsewhere = await belongings('else/where/')
    const written: string[] = []
    const locations = elsewhere.locations.map(location => ({
      ...location,
      prepare: async () => void written.push(location.thing),
      writeMark: async () => void written.push(location.thing),
    }))
    const starting = settleBelongings(database, { ...elsewhere, locations })
    await expect(starting).rejects.toThrow(
      new RegExp(`^${variable}: .*else/where/ does not belong to this site`),
    )
    expect(written).toEqual([])
    const guard = guardLocations(database.db, elsewhere.locations, log)
    await expect(guard.requireObjects()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await guard.findTrouble('objects')).toContain('does not belong to this site')
  })

  it('is refused at a start of another site', async () => {
    const other = await openTestDatabase()
    const theirs = await belongings(undefined, 'other')
    await expect(settleBelongings(other, theirs)).rejects.toThrow(
      new RegExp(`^${variable}: .*another site's`),
    )
    await other.close()
  })
})
