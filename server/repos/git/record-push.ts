import type { Db } from '@/db/client'
import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { eventRow } from '@/server/kernel/events/record'
import { lockRepository } from '../change-store'
import { findRepositoryById } from '../store'
import { repositoryPath } from './folders'
import { setHead } from './head'
import { pushEvents } from './push-events'
import type { PushNote } from './push-note'
import { pushedState } from './pushed-state'
import type { RefUpdate } from './ref-update'
import { findVersionedRow, insertEvents, insertRecordedPush, updateIfUnchanged } from './store'

// Each time somebody else was first, the refs are read again. After these, nobody else may be.
const mostRaces = 5

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
  const repository = await findRepositoryById(ctx.db, note.repositoryId)
  if (!repository) return
  const told = await pushEvents(repositoryPath(ctx.config, repository.storage_key), updates)
  const attempt = { key: note.key, id: repository.id, updates, told }
  for (let race = 0; race < mostRaces; race++) {
    if (await record(ctx, ctx.db, attempt)) return
  }
  await withTransaction(ctx.db, async trx => {
    await lockRepository(trx, repository.id)
    await record(ctx, trx, attempt)
  })
}

interface Attempt {
  key: string
  id: number
  updates: readonly RefUpdate[]
  told: Awaited<ReturnType<typeof pushEvents>>
}

/** False when another push was recorded since the state was read: its view of the refs may be newer than ours. */
async function record(ctx: ServiceCtx, db: Db, { key, id, updates, told }: Attempt): Promise<boolean> {
  const row = await findVersionedRow(db, id)
  if (!row) return true
  const { state, newHead } = await pushedState(ctx.config, row, updates, ctx.clock.now())
  const events = told.map(event => eventRow(ctx, { ...event, ownerId: row.owner_id, repositoryId: row.id }))
  return await withTransaction(db, async trx => {
    if (!(await updateIfUnchanged(trx, row, state))) return false
    if (await insertRecordedPush(trx, key)) await insertEvents(trx, events)
    // Last, as the disk cannot be rolled back, and while the row is locked: others may be choosing too.
    if (newHead) await setHead(ctx.config, row.storage_key, newHead)
    return true
  })
}
