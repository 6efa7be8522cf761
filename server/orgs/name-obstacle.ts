import { findAccountByName } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'
import { nameFreeAt } from '@/server/users'
import type { AccountNameObstacle } from './schema'

/** What keeps the caller from giving an account this name, in any case. Trying to would tell, so that it is no secret. */
export async function accountNameObstacle(ctx: UserCtx, name: string): Promise<AccountNameObstacle | null> {
  if (await findAccountByName(ctx.db, name)) return { code: 'nameTaken', what: 'account', name }
  const freeAt = await nameFreeAt(ctx, name)
  return freeAt === undefined ? null : { code: 'nameHeld', name, freeAt }
}
