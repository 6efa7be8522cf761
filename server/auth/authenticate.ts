import type { Account } from '@/server/kernel/account'
import { anonymous, type Caller, isAnonymous, type UserCaller } from '@/server/kernel/caller'
import { forbidden, notFound, unauthenticated } from '@/server/kernel/errors'
import { findAccountById, findPersonByName } from '@/server/kernel/find-account'
import { requireUsableAccount } from './acting-account'
import { findTokenHolderById } from './credentials/access-token'
import { findJobOfTask } from './credentials/job-token'
import { findVerified, wrongLogin } from './credentials/password'
import { type AuthCtx, type Presented, resolvers, tokenCaller } from './credentials/resolvers'
import { findSessionAccount } from './credentials/session'
import { callerOfKey, findKeysById } from './credentials/ssh-key'
import { requireAdminScope } from './require-scope'

/**
 * Finds who calls by what the request presents; anonymous where that is nothing. Whether the account may act now is not
 * looked at.
 * @throws {DomainError} unauthenticated for a token or password that does not hold; tooManyRequests after repeated
 * failures.
 */
export async function resolveCaller(ctx: AuthCtx, presented: Presented): Promise<Caller> {
  for (const resolve of resolvers) {
    const caller = await resolve(ctx, presented)
    if (caller) return caller
  }
  return anonymous
}

/**
 * Finds who calls an API, and as whom: `sudo` names the account that a site administrator acts as.
 * @throws {DomainError} unauthenticated for credentials that do not hold, also where none are needed; forbidden for an
 * account that may not act, and for sudo by anyone but a site administrator; notFound for sudo as nobody.
 */
export async function authenticate(
  ctx: AuthCtx,
  { sudo, ...presented }: Omit<Presented, 'cookie'> & { sudo?: string | null },
): Promise<Caller> {
  const caller = await resolveCaller(ctx, presented)
  if (caller.kind !== 'user') return caller
  requireUsableAccount(caller.user, ctx.config.baseUrl)
  return sudo ? await actAs(ctx, caller, () => findPersonByName(ctx.db, sudo)) : caller
}

/**
 * Finds who calls where browsers come with their session, and programs with a token or password, which go first.
 * @throws {DomainError} unauthenticated for credentials that do not hold; forbidden for an account that may not act.
 */
export async function authenticateAnyone(
  ctx: AuthCtx,
  presented: Pick<Presented, 'authorization' | 'cookie'>,
): Promise<Caller> {
  const caller = await resolveCaller(ctx, presented)
  if (caller.kind === 'user') requireUsableAccount(caller.user, ctx.config.baseUrl)
  return caller
}

/**
 * Looks up once more who calls, and as whom, with accounts and credentials as they are now. The secret is not asked for
 * again: nothing is hashed, waited for or counted.
 * @throws {DomainError} unauthenticated when the token, key or session is gone or the password another one; forbidden for an
 * account that may not act by now, and for sudo by whom is no site administrator anymore; notFound for sudo as nobody.
 */
export async function reauthenticate(ctx: AuthCtx, caller: Caller): Promise<Caller> {
  if (isAnonymous(caller)) return caller
  if (caller.kind === 'job') return await findJobOfTask(ctx.db, caller.taskId)
  if (caller.kind === 'deployKey') return await findSameKey(ctx, caller.keyId)
  if (caller.kind !== 'user') throw unauthenticated(wrongLogin)
  const { user, actor, credential } = caller
  const found = await findByCredential(ctx, { kind: 'user', user: actor ?? user, credential })
  if (!found) throw unauthenticated(wrongLogin)
  requireUsableAccount(found.user, ctx.config.baseUrl)
  return actor ? await actAs(ctx, found, () => findAccountById(ctx.db, user.id)) : found
}

async function findByCredential(
  { db, clock }: AuthCtx,
  { user, credential }: UserCaller,
): Promise<UserCaller | undefined> {
  if (credential.kind === 'token') {
    const holder = await findTokenHolderById(db, credential.tokenId, clock.now())
    return holder && tokenCaller(holder, credential.fromBasic)
  }
  if (credential.kind === 'session') {
    const holder = await findSessionAccount(db, credential.sessionId, clock.now())
    return holder && { kind: 'user', user: holder, credential }
  }
  if (credential.kind === 'sshKey') {
    const holder = await findSameKey({ db, clock }, credential.keyId)
    return holder.kind === 'user' ? holder : undefined
  }
  if (!credential.stamp) return undefined
  const found = await findVerified(db, { user, stamp: credential.stamp })
  return found && { kind: 'user', user: found.user, credential }
}

async function findSameKey({ db, clock }: Pick<AuthCtx, 'db' | 'clock'>, keyId: number): Promise<Caller> {
  const [key] = await findKeysById(db, [keyId], clock.now())
  const caller = key && callerOfKey(key)
  if (!caller) throw unauthenticated('This key opens nothing anymore.')
  return caller
}

async function actAs(
  ctx: AuthCtx,
  caller: UserCaller,
  find: () => Promise<Account | undefined>,
): Promise<Caller> {
  if (!caller.user.is_admin) throw forbidden('Only administrators allowed to sudo.')
  requireAdminScope(ctx.config, caller)
  const user = await find()
  if (!user) throw notFound()
  return { ...caller, user, actor: caller.user }
}
