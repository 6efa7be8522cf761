import { findAccountByName } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'

/** Has an account this name, in any case? Making one would tell the same, so that it is no secret. */
export async function isAccountNameTaken(ctx: UserCtx, name: string): Promise<boolean> {
  return (await findAccountByName(ctx.db, name)) !== undefined
}
