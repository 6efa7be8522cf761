import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { preview } from '@/server/kernel/preview'
import { removeAllKeys } from '@/server/keys'
import { endAllSessions } from '@/server/sessions'
import { removeAllTokens } from '@/server/tokens'
import { endedOf, provePassword } from '@/server/users'
import type { Revocation, RevokeOwnInput } from './schema'

/**
 * Takes all SSH keys, access tokens and sessions from the caller's account at once, the session that asks included. Keys
 * that a directory manages stay.
 * @throws {DomainError} unprocessable for a wrong password, where it is kept here; tooManyRequests after repeated failures.
 */
export async function revokeOwn(ctx: UserCtx, input: RevokeOwnInput): Promise<Revocation> {
  const { user } = ctx.caller
  if (user.login_type === 'local') await provePassword(ctx, input.current_password ?? '')
  return await withTransaction(ctx.db, trx => revokeAll(ctx, trx, user.id))
}

/** Returns what `revokeOwn` would take now. @throws {DomainError} as every preview. */
export async function previewOwn(ctx: UserCtx): Promise<Revocation> {
  const { id } = ctx.caller.user
  return await preview(ctx.db, id, trx => revokeAll(ctx, trx, id))
}

/**
 * Takes all SSH keys, access tokens and sessions from another person's account at once, on behalf of an administrator. Keys
 * that a directory manages stay.
 * @throws {DomainError} unprocessable for the administrator's own account, which takes the password.
 */
export async function revokeOf(ctx: AdminCtx, owner: Account): Promise<Revocation> {
  if (owner.id === ctx.caller.user.id) {
    throw unprocessable('revoke your own keys, tokens and sessions on the page of your sessions')
  }
  return await withTransaction(ctx.db, trx => revokeAll(ctx, trx, owner.id))
}

/** Returns what `revokeOf` would take now. @throws {DomainError} as every preview. */
export async function previewOf(ctx: AdminCtx, owner: Account): Promise<Revocation> {
  return await preview(ctx.db, ctx.caller.user.id, trx => revokeAll(ctx, trx, owner.id))
}

async function revokeAll(ctx: UserCtx, trx: Transaction<Database>, ownerId: number): Promise<Revocation> {
  const { removed, kept } = await removeAllKeys(ctx, trx, ownerId)
  return {
    keys: removed,
    tokens: await removeAllTokens(ctx, trx, ownerId),
    sessions: await endAllSessions(ctx, trx, ownerId),
    kept_keys: endedOf(kept),
  }
}
