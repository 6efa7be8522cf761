import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { createLog } from '@/server/kernel/log'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { adoptLocation, guardLocations, locationsOf, proveBelongings, settleBelongings } from '.'
import type { Location } from './location'

const log = createLog('silent')
let home: string
let database: OpenDatabase
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'guildhall-adopt-'))
  database = await openTestDatabase()
})
afterEach(async () => {
  await database.close()
  await rm(home, { recursive: true, force: true })
})

function belongings(repositories: string) {
  const directory = join(home, 'objects')
  const config = {
    secretKey: 'k'.repeat(32),
    dataDir: join(home, 'data'),
    repositoryDir: join(home, repositories),
    storage: { kind: 'disk', directory } as const,
  }
  return { config, locations: locationsOf(config, createDiskStorage(directory, log)), log }
}
const repositoriesOf = (name: string): Location => belongings(name).locations[0] as Location
const whatIs = { incomplete: false, foreign: false }

it('only the former location is accepted until another one is adopted, and then only the adopted one', async () => {
  await settleBelongings(database, belongings('former'))
  // Simulates processes that start to check at this moment.
  const refusals = async () =>
    await Promise.all(
      ['former', 'moved', 'third'].map(async name => {
        const guard = guardLocations(database.db, belongings(name).locations, log)
        const isOwn = await guard.requireRepositories().then(
          () => true,
          () => false,
        )
        const starts = await proveBelongings(database.db, belongings(name)).then(
          () => true,
          () => false,
        )
        expect(starts).toBe(isOwn)
        return isOwn ? [] : [name]
      }),
    )
  const during: string[][] = []
  const look = async () => void during.push((await refusals()).flat())
  const moved = repositoriesOf('moved')
  const watched = {
    ...moved,
    async writeMark(mark: string) {
      await look()
      await moved.writeMark(mark)
      await look()
    },
  }
  expect(await adoptLocation(database.db, watched, whatIs)).toMatchObject({ isOwn: true })
  await look()
  expect(during).toEqual([
    ['moved', 'third'],
    ['moved', 'third'],
    ['former', 'third'],
  ])
})

it('an interrupted adoption leaves the former location in use and can be repeated', async () => {
  await settleBelongings(database, belongings('former'))
  const moved = repositoriesOf('moved')
  const killed = {
    ...moved,
    async writeMark(mark: string) {
      await moved.writeMark(mark)
      throw new Error('killed')
    },
  }
  await expect(adoptLocation(database.db, killed, whatIs)).rejects.toThrow('killed')
  await settleBelongings(database, belongings('former'))
  expect(await adoptLocation(database.db, moved, whatIs)).toMatchObject({
    isOwn: false,
    says: expect.stringContaining('--foreign'),
  })
  expect(await adoptLocation(database.db, moved, { ...whatIs, foreign: true })).toMatchObject({ isOwn: true })
  await settleBelongings(database, belongings('moved'))
})
