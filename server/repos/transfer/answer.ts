import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { maySeeRepository, repositoryAccess, subjectFor, subjectOf } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import { originOf } from '@/server/events'
import { type Account, findAccountById } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { conflict, deleted, forbidden } from '@/server/kernel/errors'
import { keepAccounts } from '@/server/users'
import { type RepositoryFor, repositoryWithAccess } from '../load'
import { explainRefusal } from '../name-errors'
import type { ownership } from '../policy'
import type { Repository } from '../schema'
import { lockRepository, type RepositoryRow } from '../store'
import { viewRepository } from '../view'
import { lockTransfer, requireRoom, requireUnblocked } from './begin'
import { eligibilityFor } from './eligibility'
import type { Offered, OfferedToCaller } from './load'
import { moveRepository } from './move'
import { recordOffer } from './record'
import { findTransfer, selectTransferTeams, type TransferRow, takeTransfer } from './store'
import { viewNameOnly } from './view'

/**
 * Accepts a pending repository transfer on behalf of its recipient. Checks the conditions for the transfer
 * again, including whether the person who requested it is still allowed to transfer the repository.
 * @throws {DomainError} notFound if the transfer is canceled, accepted or declined concurrently, or the
 * repository is deleted concurrently; forbidden for callers who can no longer accept the transfer, for a
 * block between the accounts involved, and above the recipient's repository limit; unprocessable if the
 * recipient has a repository with this name; conflict if the person who requested the transfer no longer owns
 * the repository or cannot sign in.
 */
export async function acceptTransfer(ctx: UserCtx, offered: OfferedToCaller): Promise<Repository> {
  const { repository, owner, recipient } = offered
  const accepted = await withTransaction(ctx.db, async trx => {
    const current = await lockTransfer(ctx, trx, offered)
    const teams = await selectTransferTeams(trx, repository.id)
    const { doer_id } = await requireWaiting(trx, offered)
    const doer = await findAccountById(trx, doer_id)
    if (!(await eligibilityFor({ ...ctx, db: trx }, recipient)).mayAnswer) {
      throw forbidden('you can no longer accept this transfer')
    }
    if (!doer || !(await mayStillGive(trx, doer, offered))) {
      throw conflict('the person who offered the repository can no longer transfer it', {
        reason: { code: 'transferVoid' },
      })
    }
    await requireUnblocked(ctx, trx, { owner, recipient, doer })
    await requireRoom(ctx, trx, recipient, current)
    const moved = await moveRepository(ctx, trx, { repository: current, owner, recipient, doer, teams })
    return await repositoryWithAccess({ ...ctx, db: trx }, { ...moved, is_offered: false }, recipient)
  }).catch(error => {
    throw explainRefusal(error, repository.name, 'rename')
  })
  return viewRepository(ctx, accepted)
}

async function mayStillGive(
  trx: Transaction<Database>,
  doer: Account,
  { repository, owner }: Offered,
): Promise<boolean> {
  if (!doer.is_active || doer.prohibit_login) return false
  const access = await repositoryAccess(trx, subjectFor(doer), { ...repository, owner })
  return atLeast(access.mode, 'owner')
}

/**
 * Declines a pending repository transfer on behalf of its recipient.
 * @throws {DomainError} notFound if the transfer is no longer pending.
 */
export async function declineTransfer(ctx: UserCtx, offered: OfferedToCaller): Promise<Repository> {
  const { owner } = offered
  const repository = await withTransaction(ctx.db, trx => end(ctx, trx, 'declined', offered))
  const access = await repositoryAccess(ctx.db, subjectOf(ctx.caller), { ...repository, owner })
  if (!maySeeRepository(access)) return viewNameOnly(ctx, repository, owner)
  return viewRepository(ctx, { repository, owner, access })
}

/**
 * Cancels a repository's pending transfer on behalf of its owner.
 * @throws {DomainError} notFound if the transfer is no longer pending.
 */
export async function cancelTransfer(
  ctx: UserCtx,
  { repository, owner }: RepositoryFor<typeof ownership>,
): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const transfer = await findTransfer(trx, repository.id)
    const recipient = transfer && (await findAccountById(trx, transfer.recipient_id))
    if (!recipient) throw deleted('transfer')
    await end(ctx, trx, 'canceled', { repository, owner, recipient })
  })
}

async function end(
  ctx: UserCtx,
  trx: Transaction<Database>,
  verb: 'canceled' | 'declined',
  offered: Offered,
): Promise<RepositoryRow> {
  await keepAccounts(trx, [originOf(ctx).actorId])
  const current = await lockRepository(trx, offered.repository.id)
  if (current?.owner_id !== offered.owner.id) throw deleted('repository')
  await requireWaiting(trx, offered)
  const repository = { ...current, is_offered: false }
  await recordOffer(ctx, trx, verb, { repository, recipient: offered.recipient })
  return repository
}

// Deletes the transfer, so that only one of two concurrent answers succeeds.
async function requireWaiting(
  trx: Transaction<Database>,
  { repository, recipient }: Offered,
): Promise<TransferRow> {
  const claimed = await takeTransfer(trx, { repository_id: repository.id, recipient_id: recipient.id })
  if (!claimed) throw deleted('transfer')
  return claimed
}
