import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { eventRow } from '@/server/kernel/events/record'
import { followDefaultBranch } from '../storage/head'
import { repositoryPath } from '../storage/paths'
import { findRepositoryById } from '../store'
import { pushEvents } from './events'
import { pushedState } from './pushed-state'
import type { RefUpdate } from './ref-update'
import type { PushNote } from './spool'
import { insertEvents, insertRecordedPush, updateIfUnchanged } from './store'

// Each time a push taken by another process, or another choice of the default branch, was recorded first, the refs are
// read again.
const mostRaces = 20

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
  await inTurn(repository.id, async () => {
    for (let race = 0; race < mostRaces; race++) {
      if (await record(ctx, attempt)) return
    }
    throw new Error('the repository changed each time a push was about to be recorded')
  })
}

interface Attempt {
  key: string
  id: number
  updates: readonly RefUpdate[]
  told: Awaited<ReturnType<typeof pushEvents>>
}

/** False when something else was recorded since the state was read: its view of the refs may be newer than ours. */
async function record(ctx: ServiceCtx, { key, id, updates, told }: Attempt): Promise<boolean> {
  const row = await findRepositoryById(ctx.db, id)
  if (!row) return true
  const { state, newHead } = await pushedState(ctx.config, row, updates, ctx.clock.now())
  const events = told.map(event => eventRow(ctx, { ...event, ownerId: row.owner_id, repositoryId: row.id }))
  const recorded = await withTransaction(ctx.db, async trx => {
    if (!(await updateIfUnchanged(trx, row, state))) return false
    if (await insertRecordedPush(trx, key)) await insertEvents(trx, events)
    return true
  })
  if (recorded && newHead) await followDefaultBranch(ctx, id)
  return recorded
}

const turns = new Map<number, Promise<unknown>>()

/** Runs work after all that was begun before for the same repository in this process. */
async function inTurn(id: number, work: () => Promise<void>): Promise<void> {
  const mine = (turns.get(id) ?? Promise.resolve()).then(work, work)
  turns.set(id, mine)
  try {
    await mine
  } finally {
    if (turns.get(id) === mine) turns.delete(id)
  }
}
