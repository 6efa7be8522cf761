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

// A push under way has a heartbeat more often than this.
const staleAfterMs = 60_000
const abandonAfterMs = dayMs
const maxPauseMs = 60 * 60 * 1000

// Each try takes git's time, and other pushes wait behind it.
const pauseAfter = (failures: number): number => Math.min(60_000 * 2 ** failures, maxPauseMs)

/**
 * Records what pushes a killed process left behind. That nobody looks after one shows only after a minute of silence.
 */
export const recoverPushesJob = defineJob({
  name: 'pushes.recover',
  atStart: true,
  run: recoverPushes,
})

/**
 * Records the pushes whose process ended before it could, whoever made them. One that fails is logged and tried again,
 * for a day: after two minutes, then each time after twice as long, at most an hour. Ends soon after the signal is
 * aborted; the push it was at is left as it was.
 */
export async function recoverPushes(ctx: ServiceCtx, signal?: AbortSignal): Promise<void> {
  await ctx.ownLocations.requireRepositories()
  for (const key of await pushKeys(ctx)) {
    if (signal?.aborted) return
    await recover(ctx, key, signal).catch(error => {
      if (!signal?.aborted) ctx.log.error({ err: error, push: key }, 'a push is not recorded yet')
    })
  }
}

async function pushKeys({ config }: Pick<ServiceCtx, 'config'>): Promise<string[]> {
  const names = (await readdir(pushesFolder(config)).catch(undefinedIfAbsent)) ?? []
  return names.filter(isStorageKey)
}

/** Returns how many pushes are under way, or wait to be recorded after their process was killed. */
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
  // Without an outcome git may still be reading: it noted nothing because it has changed nothing.
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
    // Throws as long as it is the database that fails, not this push.
    await findRepositoryById(ctx.db, note.repositoryId)
    ctx.log.error({ err: error, push: note.key }, 'a push could not be recorded for a day and is given up')
    await forgetPush(ctx.config, note.key)
  }
}

// An event refers to its actor, so a push by an account that is deleted concurrently is recorded without one.
async function withLivingActor(ctx: ServiceCtx, note: PushNote): Promise<PushNote> {
  const actor = note.actorId === null ? undefined : await findAccountById(ctx.db, note.actorId)
  return { ...note, actorId: actor?.id ?? null }
}
