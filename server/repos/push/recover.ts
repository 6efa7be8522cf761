import { readdir } from 'node:fs/promises'
import { findAccountById } from '@/server/kernel/account'
import { dayMs } from '@/server/kernel/clock'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { defineJob } from '@/server/kernel/jobs'
import { isStorageKey, pushesFolder, pushPath } from '../storage/paths'
import { findRepositoryById } from '../store'
import { settlePush } from './settle'
import {
  forgetPush,
  lastSeen,
  noteFailure,
  type Outcome,
  type PushNote,
  readFailures,
  readNote,
  readOutcome,
} from './spool'

// The heartbeat interval of a running push is shorter than this.
const staleAfterMs = 60_000
const abandonAfterMs = dayMs
const maxPauseMs = 60 * 60 * 1000

// Each attempt takes Git's time while other pushes wait, so the pauses grow.
const pauseAfter = (failures: number): number => Math.min(60_000 * 2 ** failures, maxPauseMs)

/**
 * Recovers pushes that a killed process left unrecorded. A push counts as abandoned after a minute without a
 * heartbeat.
 */
export const recoverPushesJob = defineJob({
  name: 'pushes.recover',
  atStart: true,
  run: recoverPushes,
})

/**
 * Records the pushes whose process, on any host, ended before it could record them. Logs a push that cannot
 * be recorded and retries it for a day, with exponential backoff from two minutes up to an hour. Stops soon
 * after the signal is aborted and leaves the current push for the next run.
 */
export async function recoverPushes(ctx: ServiceCtx, signal?: AbortSignal): Promise<void> {
  await ctx.ownLocations.requireRepositories()
  for (const key of await pushKeys(ctx)) {
    if (signal?.aborted) return
    await recover(ctx, key, signal).catch(error => {
      if (!signal?.aborted) ctx.log.error({ err: error, push: key }, 'a push could not be recorded yet')
    })
  }
}

async function pushKeys({ config }: Pick<ServiceCtx, 'config'>): Promise<string[]> {
  const names = (await readdir(pushesFolder(config)).catch(undefinedIfAbsent)) ?? []
  return names.filter(isStorageKey)
}

/**
 * Returns the number of pushes that are running, or waiting to be recorded after their process was killed.
 */
export async function countSpooledPushes(ctx: Pick<ServiceCtx, 'config'>): Promise<number> {
  return (await pushKeys(ctx)).length
}

async function recover(ctx: ServiceCtx, key: string, signal: AbortSignal | undefined): Promise<void> {
  const directory = pushPath(ctx.config, key)
  const now = ctx.clock.now().getTime()
  const silentMs = now - (await lastSeen(directory)).getTime()
  if (silentMs < staleAfterMs) return
  const failures = await readFailures(directory)
  if (failures.times > 0 && now - failures.last.getTime() < pauseAfter(failures.times)) return
  const note = await readNote(directory)
  const outcome = await readOutcome(directory, { ended: false })
  // Without an outcome, Git can still be receiving: it has written nothing because it has changed nothing.
  const isOld = silentMs > abandonAfterMs
  if (note && outcome) await settle(ctx, note, outcome, { isOld, failures: failures.times, signal })
  else if (isOld) await forgetPush(ctx.config, key)
}

async function settle(
  ctx: ServiceCtx,
  note: PushNote,
  outcome: Outcome,
  { isOld, failures, signal }: { isOld: boolean; failures: number; signal: AbortSignal | undefined },
): Promise<void> {
  try {
    await settlePush(ctx, await withLivingActor(ctx, note), outcome, signal)
  } catch (error) {
    if (signal?.aborted) throw error
    await noteFailure(pushPath(ctx.config, note.key), failures + 1)
    if (failures === 0 || !isOld) throw error
    // This query throws if the database fails in general, rather than because of this push.
    await findRepositoryById(ctx.db, note.repositoryId)
    ctx.log.error({ err: error, push: note.key }, 'a push could not be recorded for a day; giving up')
    await forgetPush(ctx.config, note.key)
  }
}

// An event references its actor, so a push by a deleted account is recorded without an actor.
async function withLivingActor(ctx: ServiceCtx, note: PushNote): Promise<PushNote> {
  const actor = note.actorId === null ? undefined : await findAccountById(ctx.db, note.actorId)
  return { ...note, actorId: actor?.id ?? null }
}
