import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { eventRow } from '@/server/kernel/events/record'
import { repositoryPath } from './folders'
import { setHead } from './head'
import { pushEvents } from './push-events'
import type { PushNote } from './push-note'
import { type Pushed, pushedState } from './pushed-state'
import type { RefUpdate } from './ref-update'
import {
  findVersionedRow,
  insertEvents,
  insertRecordedPush,
  updateIfUnchanged,
  type VersionedRow,
} from './store'

/**
 * Records what a push did: the repository's state and the events, together and once, however often and by however
 * many processes this is called for the same push. A repository deleted meanwhile is left at that.
 */
export async function recordPush(
  ctx: ServiceCtx,
  note: PushNote,
  updates: readonly RefUpdate[],
): Promise<void> {
  if (updates.length === 0) return
  let told: Awaited<ReturnType<typeof pushEvents>> | undefined
  for (;;) {
    const row = await findVersionedRow(ctx.db, note.repositoryId)
    if (!row) return
    told ??= await pushEvents(repositoryPath(ctx.config, row.storage_key), updates)
    const pushed = await pushedState(ctx.config, row, updates, ctx.clock.now())
    const events = told.map(event => eventRow(ctx, { ...event, ownerId: row.owner_id, repositoryId: row.id }))
    // Another push may have been recorded since the state was read: its view of the refs may be newer than ours.
    if (await write(ctx, note.key, row, pushed, events)) return
  }
}

function write(
  ctx: ServiceCtx,
  key: string,
  row: VersionedRow,
  { state, newHead }: Pushed,
  events: Parameters<typeof insertEvents>[1],
): Promise<boolean> {
  return withTransaction(ctx.db, async trx => {
    if (!(await updateIfUnchanged(trx, row, state))) return false
    if (await insertRecordedPush(trx, key)) await insertEvents(trx, events)
    // Last, as the disk cannot be rolled back, and while the row is locked: others may be choosing too.
    if (newHead) await setHead(ctx.config, row.storage_key, newHead)
    return true
  })
}
