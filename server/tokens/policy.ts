import type { Account } from '@/server/kernel/auth/account'
import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, unauthenticated } from '@/server/kernel/errors'
import { getAccount } from '@/server/users'

/**
 * The account whose tokens the caller is about to handle.
 * Throws unauthenticated for a bare token header: a leaked token alone must not make or list tokens.
 * Throws notFound for an unknown name, forbidden for somebody else's.
 */
export async function getTokenOwner(ctx: UserCtx, username: string): Promise<Account> {
  const { credential } = ctx.caller
  if (credential.kind === 'token' && !credential.fromBasic) throw unauthenticated('auth required')
  const owner = await getAccount(ctx, username)
  if (!isAdmin(ctx.caller) && !isSelf(ctx.caller, owner.id)) {
    throw forbidden('doer should be the site admin or be same as the contextUser')
  }
  return owner
}
