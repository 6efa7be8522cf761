import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import { requireAdminScope } from '@/server/auth/require-scope'
import type { Account } from '@/server/kernel/account'
import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, unauthenticated } from '@/server/kernel/errors'
import { getPerson } from '@/server/users'

/** An account whose tokens the caller can manage. */
export type TokenOwner = Allowed<Account, 'tokens'>

/**
 * Loads the account whose tokens the caller manages.
 * @throws {DomainError} unauthenticated for a token without Basic authentication, because a leaked token must not create
 * or list tokens; forbidden for another account unless the caller is a site administrator, and for a token without
 * `write:admin` if the site requires it; notFound if the account does not exist.
 */
export async function loadTokenOwner(ctx: UserCtx, username: string): Promise<TokenOwner> {
  const { credential } = ctx.caller
  if (credential.kind === 'token' && !credential.fromBasic) throw unauthenticated('auth required')
  // Before the name is looked up, so that names of private accounts cannot be found out.
  const own = username.toLowerCase() === ctx.caller.user.name.toLowerCase()
  if (!own && !isAdmin(ctx.caller)) {
    throw forbidden('doer should be the site admin or be same as the contextUser')
  }
  if (!own) requireAdminScope(ctx.config, ctx.caller)
  return allow(await getPerson(ctx, username))
}
