import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceCtx } from '@/server/kernel/ctx'
import {
  intentPath,
  intentsFolder,
  isStorageKey,
  makingPath,
  type StorageConfig,
  trashFolder,
} from './folders'
import { dropIntent } from './intent'
import { moveToTrash } from './remove'
import { deleteRecordedPushes, selectKnownKeys } from './store'

type SweepCtx = Pick<ServiceCtx, 'db' | 'config' | 'clock'>

const hourMs = 60 * 60 * 1000
const rememberedMs = 7 * 24 * hourMs
const atOnce = 500

/**
 * Takes away what a crash left of repositories being made or removed, an hour after it was begun, and deletes what
 * earlier sweeps took away; gives how many were taken. A directory nobody noted an intent for is never touched, so
 * that a database restored from an older backup costs nobody their repositories.
 */
export async function sweepRepositories(ctx: SweepCtx): Promise<number> {
  await emptyTrash(ctx.config)
  await deleteRecordedPushes(ctx.db, new Date(ctx.clock.now().getTime() - rememberedMs))
  const keys = await oldIntents(ctx)
  let taken = 0
  for (let at = 0; at < keys.length; at += atOnce) {
    const some = keys.slice(at, at + atOnce)
    const known = await selectKnownKeys(ctx.db, some)
    for (const key of some) {
      if (!known.has(key) && (await takeAway(ctx.config, key))) taken++
      await dropIntent(ctx.config, key)
    }
  }
  return taken
}

async function oldIntents({ config, clock }: SweepCtx): Promise<string[]> {
  const before = clock.now().getTime() - hourMs
  const keys: string[] = []
  for (const name of await namesIn(intentsFolder(config))) {
    if (!isStorageKey(name)) continue
    // Gone already when its maker was done in this moment.
    const facts = await stat(intentPath(config, name)).catch(() => undefined)
    if (facts && facts.mtimeMs < before) keys.push(name)
  }
  return keys
}

async function takeAway(config: StorageConfig, key: string): Promise<boolean> {
  const place = await moveToTrash(config, key)
  const half = await rename(makingPath(config, key), join(trashFolder(config), `${key}-half`)).then(
    () => true,
    () => false,
  )
  return place !== undefined || half
}

async function emptyTrash(config: StorageConfig): Promise<void> {
  for (const name of await namesIn(trashFolder(config))) {
    await rm(join(trashFolder(config), name), { recursive: true, force: true })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
}
