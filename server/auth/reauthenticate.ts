import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { findAccountById } from '@/server/kernel/account'
import { type Caller, isAnonymous } from '@/server/kernel/caller'
import type { AuthCtx, UserCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { actAs } from './acting-account'
import { recheckToken, type TokenAtTime } from './credentials/access-token'
import { recheckJobToken } from './credentials/job-token'
import { recheckPassword, wrongLogin } from './credentials/password'
import { recheckSession } from './credentials/session'
import { recheckKey } from './credentials/ssh-key'

/**
 * Finds a caller again by one kind of credential, as accounts and credentials are now. Returns undefined for a caller
 * without such a credential, and if it is no longer valid.
 */
type Recheck = (ctx: AuthCtx, caller: Caller) => Promise<Caller | undefined>

const rechecks: readonly Recheck[] = [
  recheckSession,
  recheckToken,
  recheckPassword,
  recheckKey,
  recheckJobToken,
]

/**
 * Authenticates a caller again, as accounts and credentials are now. The secret is not needed: nothing is hashed, queued
 * or counted as an attempt.
 * @throws {DomainError} unauthenticated if the credential was deleted, changed or has expired; forbidden for an account
 * that can no longer act, and for sudo by someone who is no longer a site administrator; notFound if the account named by
 * sudo was deleted.
 */
export async function reauthenticate(ctx: AuthCtx, caller: Caller): Promise<Caller> {
  if (isAnonymous(caller)) return caller
  // With sudo, the credential is the administrator's.
  const sudo = caller.kind === 'user' && caller.actor ? caller : undefined
  const holder = sudo?.actor ? { ...sudo, user: sudo.actor } : caller
  for (const recheck of rechecks) {
    const found = await recheck(ctx, holder)
    if (found?.kind !== holder.kind) continue
    if (found.kind !== 'user') return found
    return await actAs(ctx, found, sudo && (() => findAccountById(ctx.db, sudo.user.id)))
  }
  throw unauthenticated(wrongLogin)
}

/**
 * Authenticates the caller again in the transaction that issues a credential, because the request may have been waiting
 * for a long time. Until the transaction ends, the account's credentials cannot be revoked. Call it before anything else
 * is locked.
 * @throws {DomainError} as `reauthenticate`.
 */
export async function confirmCaller(ctx: UserCtx, trx: Transaction<Database>): Promise<void> {
  const { user, actor } = ctx.caller
  await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', anyOf(actor ? [user.id, actor.id] : [user.id]))
    .orderBy('id')
    // Waits for `lockUser`, which a mere reference, "for key share", does not.
    .forShare()
    .execute()
  await reauthenticate({ ...ctx, db: trx }, ctx.caller)
}

/**
 * Returns the ID of the caller's access token and the current time for `isTokenUsable`: a single statement that
 * issues a credential on that condition needs no transaction with `confirmCaller`. Undefined for other callers. If
 * the statement changes nothing, `confirmCaller` tells whether the caller is the reason.
 */
export function confirmingToken({ caller, clock }: UserCtx): TokenAtTime | undefined {
  const { credential, actor } = caller
  return credential.kind === 'token' && !actor ? { tokenId: credential.tokenId, now: clock.now() } : undefined
}
