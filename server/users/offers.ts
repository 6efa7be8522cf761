import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { announce, originOf, recordEvents } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'

/**
 * Pending transfers to cancel: those offered to or by an account (`of`), those offered by an account (`by`),
 * or those between two accounts, where one would receive a repository that the other owns or has offered
 * (`between`).
 */
export type EndingOffers = { of: number } | { by: number } | { between: readonly [number, number] }

/**
 * Cancels pending transfers, records an event for each, and notifies the recipients' pages after the commit.
 * Returns their number. The accounts must be locked first.
 */
export async function endOffers(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  ending: EndingOffers,
): Promise<number> {
  const waiting = await lockOffered(trx, ending)
  if (waiting.length === 0) return 0
  const ended = await trx
    .deleteFrom('repository_transfers')
    .using('repositories')
    .whereRef('repositories.id', '=', 'repository_transfers.repository_id')
    .where('repository_transfers.repository_id', '=', anyOf(waiting.map(({ id }) => id)))
    .where(isEnding(ending))
    .returning('repository_transfers.repository_id')
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
  return canceled.length
}

function isEnding(ending: EndingOffers): RawBuilder<SqlBool> {
  const [recipient, doer, owner] = [
    sql.ref('repository_transfers.recipient_id'),
    sql.ref('repository_transfers.doer_id'),
    sql.ref('repositories.owner_id'),
  ]
  if ('of' in ending) return sql`(${recipient} = ${ending.of} or ${doer} = ${ending.of})`
  if ('by' in ending) return sql`${doer} = ${ending.by}`
  const [one, other] = ending.between
  return sql`(${recipient} = ${one} and ${other} in (${doer}, ${owner})
    or ${recipient} = ${other} and ${one} in (${doer}, ${owner}))`
}

interface OfferedRepository {
  id: number
  name: string
  ownerId: number
  recipientId: number
  recipient: string
}

// Accepting or declining a transfer locks the same repository.
function lockOffered(trx: Transaction<Database>, ending: EndingOffers): Promise<OfferedRepository[]> {
  return trx
    .selectFrom('repository_transfers')
    .innerJoin('repositories', 'repositories.id', 'repository_transfers.repository_id')
    .innerJoin('users as recipients', 'recipients.id', 'repository_transfers.recipient_id')
    .select([
      'repositories.id',
      'repositories.name',
      'repositories.owner_id as ownerId',
      'recipients.id as recipientId',
      'recipients.name as recipient',
    ])
    .where(isEnding(ending))
    .orderBy('repositories.id')
    .forNoKeyUpdate('repositories')
    .execute()
}
