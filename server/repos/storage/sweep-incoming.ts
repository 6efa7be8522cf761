import type { Dirent } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { defineJob } from '@/server/kernel/jobs'
import { createPauses } from '@/server/kernel/pauses'
import type { StorageConfig } from './paths'

// The prefixes of Git's directories for objects that it is receiving: `incoming-` before Git 2.35,
// `tmp_objdir-` since.
const received = /^(?:tmp_objdir|incoming)-/

// No push takes this long, and none receives data with pauses this long.
const oldMs = 24 * 60 * 60 * 1000

export const sweepIncomingJob = defineJob({
  name: 'repositories.sweepIncoming',
  run: async (ctx, signal) => ({ removed: await sweepIncoming(ctx, signal) }),
})

/**
 * Deletes the temporary object directories of pushes that were interrupted by a crash, in all repositories, a
 * day after their last change. Git itself deletes them only in repositories that receive another push.
 * Returns the number of deleted directories. Stops soon after the signal is aborted.
 */
export async function sweepIncoming(
  { config, clock, ownLocations }: Pick<ServiceCtx, 'config' | 'clock' | 'ownLocations'>,
  signal?: AbortSignal,
): Promise<number> {
  await ownLocations.requireRepositories()
  const before = clock.now().getTime() - oldMs
  const giveWay = createPauses()
  let removed = 0
  for await (const objects of objectFolders(config)) {
    for (const name of await namesIn(objects)) {
      if (signal?.aborted) return removed
      if (!received.test(name)) continue
      const path = join(objects, name)
      if ((await lastChange(path)) >= before) continue
      await rm(path, { recursive: true, force: true })
      removed++
    }
    if (signal?.aborted) return removed
    await giveWay()
  }
  return removed
}

async function* objectFolders({ repositoryDir }: StorageConfig): AsyncGenerator<string> {
  for (const folder of await namesIn(repositoryDir)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue
    for (const name of await namesIn(join(repositoryDir, folder))) {
      if (/^[0-9a-f]{32}\.git$/.test(name)) yield join(repositoryDir, folder, name, 'objects')
    }
  }
}

/**
 * Returns the time of the last change in a directory; infinity if a file or the directory is deleted
 * meanwhile.
 */
async function lastChange(directory: string): Promise<number> {
  const entries: Dirent[] | undefined = await readdir(directory, {
    recursive: true,
    withFileTypes: true,
  }).catch(undefinedIfAbsent)
  let last = await changeOf(directory)
  for (const entry of entries ?? []) last = Math.max(last, await changeOf(join(entry.parentPath, entry.name)))
  return last
}

async function changeOf(path: string): Promise<number> {
  return (await stat(path).catch(undefinedIfAbsent))?.mtimeMs ?? Infinity
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(undefinedIfAbsent)) ?? []
}
