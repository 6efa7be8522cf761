import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Config } from '@/server/kernel/config'
import { newStorageKey, repositoryPath } from './paths'
import { sweepIncoming } from './sweep-incoming'

let repositoryDir: string
beforeAll(async () => {
  repositoryDir = await mkdtemp(join(tmpdir(), 'incoming-'))
})
afterAll(() => rm(repositoryDir, { recursive: true }))

const now = new Date('2026-05-02T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

it('sweepIncoming deletes only the received objects of interrupted pushes, a day after their last change', async () => {
  const config = { repositoryDir } as Config
  const objects = join(repositoryPath(config, newStorageKey()), 'objects')
  const make = async (name: string, hours: number, packHours = hours) => {
    const pack = join(objects, name, 'pack')
    await mkdir(pack, { recursive: true })
    await writeFile(join(pack, 'tmp_pack_x'), 'x')
    await utimes(join(pack, 'tmp_pack_x'), ago(packHours), ago(packHours))
    for (const path of [pack, join(objects, name)]) await utimes(path, ago(hours), ago(hours))
  }
  await make('tmp_objdir-incoming-old', 25)
  await make('tmp_objdir-bulk-fsync-old', 25)
  await make('incoming-old', 25)
  await make('tmp_objdir-incoming-young', 23)
  await make('tmp_objdir-incoming-written', 25, 1)
  await make('ab', 1000)
  await mkdir(join(repositoryDir, 'trash'))
  const clock = { now: () => now }
  const fine = async () => undefined
  const ownLocations = { requireRepositories: fine, requireObjects: fine, findTrouble: fine }
  const foreign = { ...ownLocations, requireRepositories: () => Promise.reject(new Error('not ours')) }
  await expect(sweepIncoming({ config, clock, ownLocations: foreign })).rejects.toThrow('not ours')
  expect(await sweepIncoming({ config, clock, ownLocations }, AbortSignal.abort())).toBe(0)
  expect(await sweepIncoming({ config, clock, ownLocations })).toBe(3)
  expect((await readdir(objects)).sort()).toEqual([
    'ab',
    'tmp_objdir-incoming-written',
    'tmp_objdir-incoming-young',
  ])
})
