import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import { requireAdminScope } from '@/server/auth/require-scope'
import type { Account } from '@/server/kernel/account'
import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, unauthenticated } from '@/server/kernel/errors'
import { getPerson } from '@/server/users'

/** An account whose tokens the caller may handle. */
export type TokenOwner = Allowed<Account, 'tokens'>

/**
 * Loads the account whose tokens the caller is about to handle.
 * @throws {DomainError} unauthenticated for a bare token header, as a leaked token alone must not make or list
 * tokens; forbidden for another account to anybody but site administrators, and for a token without `write:admin`
 * where the site asks for it; notFound.
 */
export async function loadTokenOwner(ctx: UserCtx, username: string): Promise<TokenOwner> {
  const { credential } = ctx.caller
  if (credential.kind === 'token' && !credential.fromBasic) throw unauthenticated('auth required')
  // Before the name is looked up, so that private accounts cannot be discovered by name.
  const own = username.toLowerCase() === ctx.caller.user.name.toLowerCase()
  if (!own && !isAdmin(ctx.caller)) {
    throw forbidden('doer should be the site admin or be same as the contextUser')
  }
  if (!own) requireAdminScope(ctx.config, ctx.caller)
  return allow(await getPerson(ctx, username))
}
