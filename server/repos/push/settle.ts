import type { ServiceCtx } from '@/server/kernel/ctx'
import { eachRef, type Ref } from '@/server/kernel/git/refs'
import { repositoryPath } from '../storage/paths'
import { findRepositoryById } from '../store'
import { isEventOf } from './events'
import { type Budget, isAncestor, startBudget } from './history'
import { recordPush } from './record'
import { isAbsent, isBranch, type RefUpdate } from './ref-update'
import { forgetPush, type Outcome, type PushNote } from './spool'
import { selectEventsSince } from './store'

/**
 * Records a push that is over, and forgets its note. When this throws, as it does once the signal is aborted, the note
 * stays for another try.
 * @returns the ids of the events that were recorded now
 */
export async function settlePush(
  ctx: ServiceCtx,
  note: PushNote,
  outcome: Outcome,
  signal?: AbortSignal,
): Promise<number[]> {
  const events = outcome ? await record(ctx, note, outcome, signal) : []
  await forgetPush(ctx.config, note.key)
  return events
}

async function record(
  ctx: ServiceCtx,
  note: PushNote,
  outcome: NonNullable<Outcome>,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const done = 'done' in outcome ? outcome.done : await unrecordedUpdates(ctx, note, outcome.wanted, signal)
  return await recordPush(ctx, note, done, signal)
}

// A push cut off before it did anything is often tried again at once, and the second one recorded what both wanted.
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

/** Which of these updates were done, judging by the refs as they are now: all that is left to go by after a crash. */
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
  // Another push may have built on it since.
  return isBranch(ref) && now !== before && (await isAncestor(repository, after, now, budget)) === true
}
