import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { maySeeRepository, repositoryAccess, subjectOf } from '@/server/access'
import { isBlockedBetween } from '@/server/blocks'
import { originOf } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { lockAccounts } from '@/server/users'
import { requireBelowMaximum } from '../create'
import { nameInUse } from '../name-errors'
import { findRepositoryByName, type RepositoryRow } from '../store'
import type { Offered } from './load'
import { lockForTransfer } from './store'

/**
 * Locks the rows of the accounts involved in a transfer (caller, owner and recipient) and then the
 * repository's row, which is returned.
 * @throws {DomainError} notFound if the recipient or the repository is deleted concurrently, or the
 * repository is transferred concurrently.
 */
export async function lockTransfer(
  ctx: UserCtx,
  trx: Transaction<Database>,
  { repository, owner, recipient }: Offered,
): Promise<RepositoryRow> {
  const { user } = ctx.caller
  const accounts = await lockAccounts(trx, [owner.id, recipient.id, user.id, originOf(ctx).actorId])
  const current = await lockForTransfer(trx, repository.id)
  if (!accounts.has(recipient.id) || current?.owner_id !== owner.id) throw deleted('repository')
  return current
}

/**
 * Requires that no block exists, in either direction, between the recipient of a transfer and the
 * repository's owner or the person who requested the transfer. Organizations can block people but cannot be
 * blocked.
 * @throws {DomainError} forbidden, except to site administrators.
 */
export async function requireUnblocked(
  ctx: UserCtx,
  trx: Transaction<Database>,
  { owner, recipient, doer }: Omit<Offered, 'repository'> & { doer: Pick<Account, 'id'> },
): Promise<void> {
  if (isAdmin(ctx.caller)) return
  const isBlocked =
    recipient.kind === 'person'
      ? await isBlockedBetween(trx, [owner.id, doer.id], recipient.id)
      : await isBlockedBetween(trx, [recipient.id], doer.id)
  if (isBlocked) throw forbidden('user is blocked', { reason: { code: 'blocked' } })
}

/**
 * Requires that the recipient of a transfer can own one more repository and has none with this name. The
 * errors reveal what the recipient owns, so call this only for callers who can act for the recipient.
 * @throws {DomainError} unprocessable for a name in use; forbidden above the recipient's repository limit.
 */
export async function requireRoom(
  ctx: UserCtx,
  trx: Transaction<Database>,
  recipient: Account,
  { name }: RepositoryRow,
): Promise<void> {
  if (await findRepositoryByName(trx, recipient.id, name)) throw nameInUse(name, { by: 'rename' })
  await requireBelowMaximum(ctx, trx, recipient, 1)
}

/**
 * Requires that the recipient of a transfer has no repository with this name that is visible to the caller.
 * Ignores hidden repositories, so that requesting a transfer does not reveal their names.
 * @throws {DomainError} unprocessable.
 */
export async function requireNameNotSeen(
  ctx: UserCtx,
  trx: Transaction<Database>,
  recipient: Account,
  { name }: RepositoryRow,
): Promise<void> {
  const namesake = await findRepositoryByName(trx, recipient.id, name)
  if (!namesake) return
  const access = await repositoryAccess(trx, subjectOf(ctx.caller), { ...namesake, owner: recipient })
  if (maySeeRepository(access)) throw nameInUse(name, { by: 'rename' })
}
