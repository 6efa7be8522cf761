import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { RepositoryRow } from '../store'
import { findTransfer } from './store'

/**
 * Records the event that a repository transfer was requested, canceled or declined. After the commit, also
 * notifies the recipient's open pages, because the recipient might not see the repository and its events.
 */
export async function recordOffer(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  verb: 'requested' | 'canceled' | 'declined',
  { repository, recipient }: { repository: RepositoryRow; recipient: Pick<Account, 'id' | 'name'> },
): Promise<void> {
  await recordEvent(trx, originOf(ctx), {
    kind: `repository.transfer_${verb}`,
    ownerId: repository.owner_id,
    repositoryId: repository.id,
    facts: {
      repositoryId: repository.id,
      name: repository.name,
      recipientId: recipient.id,
      recipient: recipient.name,
    },
  })
  announceOffer(trx, recipient.id)
}

/**
 * Notifies the recipient's open pages, after the commit, that the list of pending transfers to the recipient
 * changed.
 */
export function announceOffer(trx: Transaction<Database>, recipientId: number): void {
  announce(trx, { kind: 'transfer.changed', ownerId: recipientId, repositoryId: null })
}

/** Notifies the recipient of a pending transfer that the repository is about to be deleted or renamed. */
export async function announceToRecipient(
  trx: Transaction<Database>,
  { id, is_offered: isOffered }: RepositoryRow,
): Promise<void> {
  const transfer = isOffered ? await findTransfer(trx, id) : undefined
  if (transfer) announceOffer(trx, transfer.recipient_id)
}
