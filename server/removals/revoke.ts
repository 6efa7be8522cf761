import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { preview } from '@/server/kernel/dry-run-preview'
import { unprocessable } from '@/server/kernel/errors'
import { removeAllKeys } from '@/server/keys'
import { replaceRegistrationToken } from '@/server/runners'
import { endAllSessions } from '@/server/sessions'
import { removeAllTokens } from '@/server/tokens'
import { endedOf, endOffers, lockAccounts, provePassword } from '@/server/users'
import type { Revocation, RevokeOwnInput } from './schema'

/**
 * Deletes all SSH keys, access tokens, and sessions of the caller's account, including the current session.
 * Also replaces its runner registration token and cancels the repository transfers that it offered. Keys that
 * a directory manages are kept.
 * @throws {DomainError} unprocessable if the password of a local account is wrong; tooManyRequests after
 * repeated failures.
 */
export async function revokeOwn(ctx: UserCtx, input: RevokeOwnInput): Promise<Revocation> {
  const { user } = ctx.caller
  if (user.login_type === 'local') await provePassword(ctx, input.current_password ?? '')
  return await withTransaction(ctx.db, trx => revokeAll(ctx, trx, user))
}

/**
 * Returns the effects that `revokeOwn` would have if it ran immediately.
 * @throws {DomainError} the errors of any preview, such as conflict while the same rows are being changed.
 */
export async function previewOwn(ctx: UserCtx): Promise<Revocation> {
  const { user } = ctx.caller
  return await preview(ctx.db, user.id, trx => revokeAll(ctx, trx, user))
}

/**
 * Deletes all SSH keys, access tokens, and sessions of another person's account, on behalf of an
 * administrator. Also replaces its runner registration token and cancels the repository transfers that it
 * offered. Keys that a directory manages are kept.
 * @throws {DomainError} unprocessable for the administrator's own account, for which `revokeOwn` requires the
 * password.
 */
export async function revokeOf(ctx: AdminCtx, owner: Account): Promise<Revocation> {
  if (owner.id === ctx.caller.user.id) {
    throw unprocessable(
      'to revoke your own keys, tokens, and sessions, use the page that lists your sessions',
    )
  }
  return await withTransaction(ctx.db, trx => revokeAll(ctx, trx, owner))
}

/**
 * Returns the effects that `revokeOf` would have if it ran immediately.
 * @throws {DomainError} the errors of any preview, such as conflict while the same rows are being changed.
 */
export async function previewOf(ctx: AdminCtx, owner: Account): Promise<Revocation> {
  return await preview(ctx.db, ctx.caller.user.id, trx => revokeAll(ctx, trx, owner))
}

async function revokeAll(
  ctx: UserCtx,
  trx: Transaction<Database>,
  { id: ownerId, name }: Account,
): Promise<Revocation> {
  // A concurrent request that uses one of these credentials to create another waits for this lock and then
  // fails.
  await lockAccounts(trx, [ownerId, originOf(ctx).actorId])
  const sessions = await endAllSessions(ctx, trx, ownerId)
  const tokens = await removeAllTokens(ctx, trx, ownerId)
  const { removed, kept } = await removeAllKeys(ctx, trx, ownerId)
  const registration_token = await replaceRegistrationToken(ctx, trx, ownerId)
  const offers = await endOffers(ctx, trx, { by: ownerId })
  await recordEvent(trx, originOf(ctx), {
    kind: 'account.revoked',
    ownerId,
    facts: { userId: ownerId, name, keys: removed, tokens, sessions },
  })
  return { keys: removed, tokens, sessions, registration_token, offers, kept_keys: endedOf(kept) }
}
