import { type FileHandle, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBackgroundSync } from './background-sync'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-sync-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Opens a new file with the given implementation of `sync`. */
async function newFile(name: string, sync: () => Promise<void>): Promise<FileHandle> {
  const file = await open(join(folder, name), 'w')
  file.sync = sync
  return file
}

it('BackgroundSync.finish waits until the files are durable, and syncs files that other processes wrote', async () => {
  let syncs = 0
  const background = createBackgroundSync(async work => {
    syncs++
    return await work()
  })
  let synced = () => {}
  const slow = new Promise<void>(resolve => {
    synced = resolve
  })
  await background.begin(join(folder, 'ours'), await newFile('ours', () => slow))
  await (await open(join(folder, 'theirs'), 'w')).close()
  let isFinished = false
  const finishing = background.finish(folder, ['ours', 'theirs']).then(() => {
    isFinished = true
  })
  await new Promise(setImmediate)
  expect(isFinished).toBe(false)
  synced()
  await finishing
  expect(syncs).toBe(2)
})

it('BackgroundSync.finish rejects for a file that could not be synced, and deletes the file', async () => {
  const background = createBackgroundSync(work => work())
  const broken = async () => {
    throw new Error('EIO')
  }
  await background.begin(join(folder, 'part'), await newFile('part', broken))
  await expect(background.finish(folder, ['part'])).rejects.toThrow('EIO')
  expect(await readdir(folder)).toEqual([])
})

it('BackgroundSync.begin waits for the sync if many files are queued', async () => {
  let release = () => {}
  const blocked = new Promise<void>(resolve => {
    release = resolve
  })
  const background = createBackgroundSync(work => work())
  let begun = 0
  const writers = Array.from({ length: 20 }, async (_, at) => {
    await background.begin(join(folder, String(at)), await newFile(String(at), () => blocked))
    begun++
  })
  await expect.poll(() => begun).toBe(16)
  release()
  await Promise.all(writers)
})
