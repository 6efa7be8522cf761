import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory, syncPath, writeFileSynced } from '@/server/kernel/fs/fsync'
import { bytesForGit } from '@/server/kernel/git/ref-text'
import { isStorageKey, newStorageKey, pushesFolder, pushPath, type StorageConfig } from '../storage/paths'
import { optionsFile } from './options'
import type { RefUpdate } from './ref-update'
import { type PushNote, readNote, readOutcome } from './spool'

/** A push in the spool, with the ref updates that it has made, or may have made. */
export interface SpooledPush {
  key: string
  repositoryId: number
  updates: RefUpdate[]
}

/** Reads the pushes in the spool that may have moved refs. */
export async function spooledPushes(config: StorageConfig): Promise<SpooledPush[]> {
  const names = (await readdir(pushesFolder(config)).catch(undefinedIfAbsent)) ?? []
  const pushes: SpooledPush[] = []
  for (const key of names.filter(isStorageKey)) {
    const directory = pushPath(config, key)
    const note = await readNote(directory)
    const outcome = note && (await readOutcome(directory, { ended: false }))
    if (!note || !outcome) continue
    const updates = 'done' in outcome ? outcome.done : outcome.wanted
    pushes.push({ key, repositoryId: note.repositoryId, updates })
  }
  return pushes
}

/**
 * Writes a push by the system, whose ref updates have already been made, to the spool, with fsync. It starts no
 * workflows. `settlePush` records it, or the recovery job if the process ends before that.
 */
export async function spoolPush(
  config: StorageConfig,
  {
    repositoryId,
    updates,
    startedAt,
  }: { repositoryId: number; updates: readonly RefUpdate[]; startedAt: Date },
): Promise<PushNote> {
  const key = newStorageKey()
  const note = { key, repositoryId, actorId: null, remoteAddress: '', requestId: 'restore', startedAt }
  const directory = pushPath(config, key)
  await makeDirectory(directory)
  const lines = updates.map(({ before, after, ref }) => bytesForGit(`${before} ${after} ${ref}\n`))
  await writeFileSynced(join(directory, 'done'), Buffer.concat(lines))
  await writeFileSynced(join(directory, optionsFile), 'ci.skip\n')
  await writeFileSynced(join(directory, 'push.json'), JSON.stringify(note))
  await syncPath(directory)
  return note
}
