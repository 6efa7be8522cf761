import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { isBlockedBetween } from '@/server/blocks'
import { originOf } from '@/server/events'
import type { Account } from '@/server/kernel/auth/account'
import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, gone } from '@/server/kernel/errors'
import { lockAccounts } from '@/server/users'
import { requireBelowMaximum } from '../create'
import { nameTaken } from '../name-errors'
import { findRepositoryByName, type RepositoryRow } from '../store'
import { lockForTransfer } from './store'

interface Between {
  repository: RepositoryRow
  owner: Account
  recipient: Account
  doer: Pick<Account, 'id'>
}

/**
 * Locks both accounts and the repository, and requires that it can be given away: it has the owner that it was loaded with,
 * its name is free there, nobody blocks anybody, and the recipient may own one more.
 * @throws {DomainError} notFound for what is deleted or given away concurrently; unprocessable for a name in use; forbidden
 * for a block, except to site administrators, and above the recipient's maximum.
 */
export async function lockTransfer(
  ctx: UserCtx,
  trx: Transaction<Database>,
  { repository, owner, recipient, doer }: Between,
): Promise<RepositoryRow> {
  const accounts = await lockAccounts(trx, [
    owner.id,
    recipient.id,
    ctx.caller.user.id,
    originOf(ctx).actorId,
  ])
  const current = await lockForTransfer(trx, repository.id)
  if (!accounts.has(recipient.id) || current?.owner_id !== owner.id) throw gone('repository')
  const { name } = current
  if (await findRepositoryByName(trx, recipient.id, name)) throw nameTaken(name, { by: 'rename' })
  if (!isAdmin(ctx.caller)) await requireUnblocked(trx, { owner, recipient, doer })
  await requireBelowMaximum(ctx, trx, recipient, 1)
  return current
}

// Organizations block people, and are blocked by nobody.
async function requireUnblocked(
  trx: Transaction<Database>,
  { owner, recipient, doer }: Omit<Between, 'repository'>,
): Promise<void> {
  const isBlocked =
    recipient.kind === 'person'
      ? await isBlockedBetween(trx, [owner.id, doer.id], recipient.id)
      : await isBlockedBetween(trx, [recipient.id], doer.id)
  if (isBlocked) throw forbidden('user is blocked', { reason: { code: 'blocked' } })
}
