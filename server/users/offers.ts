import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { announce, originOf, recordEvents } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'

/**
 * Ends the transfers that wait for this account or that it offered, because the account is about to be deleted. Records each
 * as canceled and notifies its recipient's pages after the commit. Lock the account before.
 */
export async function endOffers(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  accountId: number,
): Promise<void> {
  const waiting = await lockOffered(trx, accountId)
  if (waiting.length === 0) return
  const ended = await trx
    .deleteFrom('repository_transfers')
    .where('repository_id', '=', anyOf(waiting.map(({ id }) => id)))
    .where(({ or, eb }) => or([eb('recipient_id', '=', accountId), eb('doer_id', '=', accountId)]))
    .returning('repository_id')
    .execute()
  const ids = new Set(ended.map(row => row.repository_id))
  const canceled = waiting.filter(({ id }) => ids.has(id))
  await recordEvents(
    trx,
    originOf(ctx),
    canceled.map(({ id, name, ownerId, recipientId, recipient }) => ({
      kind: 'repository.transfer_canceled' as const,
      ownerId,
      repositoryId: id,
      facts: { repositoryId: id, name, recipientId, recipient },
    })),
  )
  for (const { recipientId } of canceled)
    announce(trx, { kind: 'transfer.changed', ownerId: recipientId, repositoryId: null })
}

interface OfferedRepository {
  id: number
  name: string
  ownerId: number
  recipientId: number
  recipient: string
}

// Whoever answers one of them at the same time has it locked.
function lockOffered(trx: Transaction<Database>, accountId: number): Promise<OfferedRepository[]> {
  return trx
    .selectFrom('repository_transfers as transfer')
    .innerJoin('repositories', 'repositories.id', 'transfer.repository_id')
    .innerJoin('users as recipients', 'recipients.id', 'transfer.recipient_id')
    .select([
      'repositories.id',
      'repositories.name',
      'repositories.owner_id as ownerId',
      'recipients.id as recipientId',
      'recipients.name as recipient',
    ])
    .where(({ or, eb }) =>
      or([eb('transfer.recipient_id', '=', accountId), eb('transfer.doer_id', '=', accountId)]),
    )
    .orderBy('repositories.id')
    .forNoKeyUpdate('repositories')
    .execute()
}
