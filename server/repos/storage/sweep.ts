import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isBackupRunning } from '@/server/kernel/backup-hold'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { defineJob } from '@/server/kernel/jobs'
import { selectKnownStorageKeys } from '../store'
import {
  asideIntentPath,
  intentPath,
  intentsFolder,
  isStorageKey,
  makingPath,
  type StorageConfig,
  trashFolder,
} from './paths'
import { moveToTrash } from './remove'

type SweepCtx = Pick<ServiceCtx, 'db' | 'config' | 'clock' | 'ownLocations'>

const hourMs = 60 * 60 * 1000
const batchSize = 500

export const sweepRepositoriesJob = defineJob({
  name: 'repositories.sweep',
  run: async (ctx, signal) => ({ taken: await sweepRepositories(ctx, signal) }),
})

/**
 * Moves repositories whose creation or deletion was interrupted by a crash to the trash directory, an hour
 * after the creation or deletion began. Also deletes repositories that earlier runs moved to the trash.
 * Returns the number of moved repositories. Stops soon after the signal is aborted, and the next run
 * continues. Never touches directories without an intent file, which marks an unfinished creation or
 * deletion, so restoring the database from an older backup loses no repositories. Moves none while a backup runs.
 */
export async function sweepRepositories(ctx: SweepCtx, signal?: AbortSignal): Promise<number> {
  await ctx.ownLocations.requireRepositories()
  await emptyTrash(ctx.config, signal)
  const keys = await takeOldIntents(ctx, signal)
  let taken = 0
  for (let at = 0; at < keys.length; at += batchSize) {
    const batch = keys.slice(at, at + batchSize)
    const known = await selectKnownStorageKeys(ctx.db, batch)
    // The intents are set aside, and the next run finds them.
    if (await isBackupRunning(ctx.db)) return taken
    for (const key of batch) {
      // The remaining intents are set aside, and the next run finds them.
      if (signal?.aborted) return taken
      if (!known.has(key) && (await takeAway(ctx.config, key))) taken++
      await rm(asideIntentPath(ctx.config, key), { force: true })
    }
  }
  return taken
}

// Intents that were already set aside belong to an earlier run that did not finish.
async function takeOldIntents(
  { config, clock }: SweepCtx,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const before = clock.now().getTime() - hourMs
  const keys = new Set<string>()
  for (const name of await namesIn(intentsFolder(config))) {
    if (signal?.aborted) break
    const [key = '', suffix] = name.split('.', 2)
    if (!isStorageKey(key)) continue
    const taken = suffix ? isOlder(asideIntentPath(config, key), before) : setAside(config, key, before)
    if (await taken) keys.add(key)
  }
  return [...keys]
}

async function setAside(config: StorageConfig, key: string, before: number): Promise<boolean> {
  const [intent, aside] = [intentPath(config, key), asideIntentPath(config, key)]
  if (!(await isOlder(intent, before))) return false
  // The intent no longer exists if the process that wrote it has just dropped it.
  if (!(await moved(intent, aside))) return false
  if (await isOlder(aside, before)) return true
  // A removal has just written the intent again.
  await moved(aside, intent)
  return false
}

async function isOlder(path: string, before: number): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined)
  return facts !== undefined && facts.mtimeMs < before
}

async function takeAway(config: StorageConfig, key: string): Promise<boolean> {
  const intent = await moveToTrash(config, key)
  const half = await moved(makingPath(config, key), join(trashFolder(config), `${key}-half`))
  return intent !== undefined || half
}

const moved = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    () => false,
  )

async function emptyTrash(config: StorageConfig, signal: AbortSignal | undefined): Promise<void> {
  for (const name of await namesIn(trashFolder(config))) {
    if (signal?.aborted) return
    await rm(join(trashFolder(config), name), { recursive: true, force: true })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(undefinedIfAbsent)) ?? []
}
