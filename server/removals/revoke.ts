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
 * Takes all SSH keys, access tokens and sessions from the caller's account at once, the session that asks included,
 * replaces the token that registers its runners, and cancels the transfers that it offered. Keys that a directory manages stay.
 * @throws {DomainError} unprocessable for a wrong password, where it is kept here; tooManyRequests after repeated failures.
 */
export async function revokeOwn(ctx: UserCtx, input: RevokeOwnInput): Promise<Revocation> {
  const { user } = ctx.caller
  if (user.login_type === 'local') await provePassword(ctx, input.current_password ?? '')
  return await withTransaction(ctx.db, trx => revokeAll(ctx, trx, user))
}

/** Returns what `revokeOwn` would take now. @throws {DomainError} as every preview. */
export async function previewOwn(ctx: UserCtx): Promise<Revocation> {
  const { user } = ctx.caller
  return await preview(ctx.db, user.id, trx => revokeAll(ctx, trx, user))
}

/**
 * Takes all SSH keys, access tokens and sessions from another person's account at once, on behalf of an administrator,
 * replaces the token that registers its runners, and cancels the transfers that it offered. Keys that a directory manages stay.
 * @throws {DomainError} unprocessable for the administrator's own account, which takes the password.
 */
export async function revokeOf(ctx: AdminCtx, owner: Account): Promise<Revocation> {
  if (owner.id === ctx.caller.user.id) {
    throw unprocessable('revoke your own keys, tokens and sessions on the page of your sessions')
  }
  return await withTransaction(ctx.db, trx => revokeAll(ctx, trx, owner))
}

/** Returns what `revokeOf` would take now. @throws {DomainError} as every preview. */
export async function previewOf(ctx: AdminCtx, owner: Account): Promise<Revocation> {
  return await preview(ctx.db, ctx.caller.user.id, trx => revokeAll(ctx, trx, owner))
}

async function revokeAll(
  ctx: UserCtx,
  trx: Transaction<Database>,
  { id: ownerId, name }: Account,
): Promise<Revocation> {
  // Whoever is about to get another credential with one of these waits, and then finds that one gone.
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
