import { anonymous, type Caller, isAnonymous, type UserCaller } from '../caller'
import { forbidden, notFound, unauthenticated } from '../errors'
import { requireUsableAccount } from './account-state'
import { type AuthCtx, type Presented, resolvers, tokenCaller } from './credentials'
import { findPersonByName } from './find-account'
import { findTokenHolderById } from './find-token'
import { requireAdminScope } from './require-scope'
import { findVerified, wrongLogin } from './verify-login'

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
  return sudo ? await actAs(ctx, caller, sudo) : caller
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
 * Looks up once more whom `authenticate` found with a token or password, as both are now. The secret is not asked for again:
 * nothing is hashed, waited for or counted.
 * @throws {DomainError} unauthenticated when the token is gone or the password another one; forbidden for an account that
 * may not act by now.
 */
export async function authenticateAgain(ctx: AuthCtx, caller: Caller): Promise<Caller> {
  if (isAnonymous(caller)) return caller
  const found = caller.kind === 'user' ? await findAgain(ctx, caller) : undefined
  if (!found) throw unauthenticated(wrongLogin)
  requireUsableAccount(found.user, ctx.config.baseUrl)
  return found
}

async function findAgain(
  { db, clock }: AuthCtx,
  { user, credential }: UserCaller,
): Promise<UserCaller | undefined> {
  if (credential.kind === 'token') {
    const holder = await findTokenHolderById(db, credential.tokenId, clock.now())
    return holder && tokenCaller(holder, credential.fromBasic)
  }
  if (credential.kind === 'session' || !credential.stamp) return undefined
  const found = await findVerified(db, { user, stamp: credential.stamp })
  return found && { kind: 'user', user: found.user, credential }
}

async function actAs(ctx: AuthCtx, caller: UserCaller, name: string): Promise<Caller> {
  if (!caller.user.is_admin) throw forbidden('Only administrators allowed to sudo.')
  requireAdminScope(ctx.config, caller)
  const user = await findPersonByName(ctx.db, name)
  if (!user) throw notFound()
  return { ...caller, user, actor: caller.user }
}
