import type { ServiceCtx } from '@/server/kernel/ctx'
import { eachRef, type Ref } from '@/server/kernel/git/refs'
import { repositoryPath } from '../storage/paths'
import { findRepositoryById } from '../store'
import { isEventOf } from './events'
import { type Budget, isAncestor, startBudget } from './history'
import { type MeasuredPush, recordPush } from './record'
import { isAbsent, isBranch, type RefUpdate } from './ref-update'
import { forgetPush, type Outcome, type PushNote } from './spool'
import { selectEventsSince } from './store'

/**
 * Records a finished push in the database and deletes its spool entry, the files on disk that describe a push
 * until it is recorded. If this throws, for example because the signal is aborted, the entry remains for
 * another attempt.
 * @returns the IDs of the events recorded by this call
 */
export async function settlePush(
  ctx: ServiceCtx,
  note: MeasuredPush,
  outcome: Outcome,
  signal?: AbortSignal,
): Promise<number[]> {
  const events = await recordOutcome(ctx, note, outcome, signal)
  await forgetPush(ctx.config, note.key)
  return events
}

/**
 * Records a finished push in the database, as `settlePush` does, but keeps its spool entry.
 * @returns the IDs of the events recorded by this call
 */
export async function recordOutcome(
  ctx: ServiceCtx,
  note: MeasuredPush,
  outcome: Outcome,
  signal?: AbortSignal,
): Promise<number[]> {
  if (!outcome) return []
  const done = 'done' in outcome ? outcome.done : await unrecordedUpdates(ctx, note, outcome.wanted, signal)
  return await recordPush(ctx, note, done, signal)
}

// A push that was cut off before it changed anything is often retried immediately, and the retry has then
// already recorded the same updates.
async function unrecordedUpdates(
  ctx: ServiceCtx,
  note: PushNote,
  wanted: readonly RefUpdate[],
  signal: AbortSignal | undefined,
): Promise<RefUpdate[]> {
  const repository = await findRepositoryById(ctx.db, note.repositoryId)
  if (!repository) return []
  const done = await whatHappened(repositoryPath(ctx.config, repository.storage_key), wanted, signal)
  const recorded = await selectEventsSince(ctx.db, repository.id, note.startedAt)
  return done.filter(update => !recorded.some(event => isEventOf(event, update)))
}

/**
 * Returns which of these updates were made, judging by the current refs, which are the only evidence after a
 * crash.
 */
async function whatHappened(
  repository: string,
  wanted: readonly RefUpdate[],
  signal: AbortSignal | undefined,
): Promise<RefUpdate[]> {
  const current = new Map<string, string>()
  const sought = new Set(wanted.map(update => update.ref))
  const note = ({ ref, id }: Ref) => {
    if (sought.has(ref)) current.set(ref, id)
  }
  await eachRef(repository, 'refs/', note, signal)
  const budget = startBudget({ signal })
  const done: RefUpdate[] = []
  for (const update of wanted) {
    if (await isDone(repository, update, current.get(update.ref), budget)) done.push(update)
  }
  return done
}

async function isDone(
  repository: string,
  update: RefUpdate,
  now: string | undefined,
  budget: Budget,
): Promise<boolean> {
  const { ref, before, after } = update
  if (isAbsent(after)) return now === undefined
  if (now === undefined) return false
  if (now === after) return true
  // A later push can have added commits to the branch.
  return isBranch(ref) && now !== before && (await isAncestor(repository, after, now, budget)) === true
}
