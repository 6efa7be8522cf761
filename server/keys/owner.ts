import type { Account } from '@/server/kernel/auth/account'
import { findAccountById } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'
import { ownsKey } from './policy'
import type { KeyRow } from './store'

/** The account to show as the key's owner to this caller; undefined where it is not theirs to see. */
export async function visibleOwner(ctx: UserCtx, key: KeyRow): Promise<Account | undefined> {
  if (key.owner_id === null || !ownsKey(ctx.caller, key)) return undefined
  if (key.owner_id === ctx.caller.user.id) return ctx.caller.user
  return await findAccountById(ctx.db, key.owner_id)
}
