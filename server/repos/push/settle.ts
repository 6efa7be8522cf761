import type { ServiceCtx } from '@/server/kernel/ctx'
import { repositoryPath } from '../storage/paths'
import { findRepositoryById } from '../store'
import { tellsOf } from './events'
import { recordPush } from './record'
import type { RefUpdate } from './ref-update'
import { forgetPush, type Outcome, type PushNote } from './spool'
import { selectToldFacts } from './store'
import { whatHappened } from './what-happened'

/** Records a push that is over, and forgets its note. When this throws, the note stays for another try. */
export async function settlePush(ctx: ServiceCtx, note: PushNote, outcome: Outcome): Promise<void> {
  if (outcome && 'done' in outcome) await recordPush(ctx, note, outcome.done)
  else if (outcome) await recordPush(ctx, note, await doneAndUntold(ctx, note, outcome.wanted))
  await forgetPush(ctx.config, note.key)
}

// A push cut off before it did anything is often tried again at once, and that one was told of.
async function doneAndUntold(
  ctx: ServiceCtx,
  note: PushNote,
  wanted: readonly RefUpdate[],
): Promise<RefUpdate[]> {
  const repository = await findRepositoryById(ctx.db, note.repositoryId)
  if (!repository) return []
  const done = await whatHappened(repositoryPath(ctx.config, repository.storage_key), wanted)
  const told = await selectToldFacts(ctx.db, repository.id, note.startedAt)
  return done.filter(update => !told.some(facts => tellsOf(facts, update)))
}
