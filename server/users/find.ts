import type { Account } from '@/server/kernel/auth/account'
import { findAccountByName } from '@/server/kernel/auth/find-account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { maySeeUser, requirePublicScope } from './policy'

/** Finds an account by name, visible or not. Throws notFound. */
export async function getAccount(ctx: ServiceCtx, name: string): Promise<Account> {
  const account = await findAccountByName(ctx.db, name)
  if (!account) throw notFound(`user redirect does not exist [name: ${name}]`)
  requirePublicScope(ctx.caller, account)
  return account
}

/** As `getAccount`, but an account the caller may not see does not exist for them either. */
export async function getVisibleAccount(ctx: ServiceCtx, name: string): Promise<Account> {
  const account = await findAccountByName(ctx.db, name)
  // One answer for "absent" and "hidden", so that private accounts cannot be discovered by name.
  if (!account || !maySeeUser(ctx.caller, account)) {
    throw notFound(`user redirect does not exist [name: ${name}]`)
  }
  requirePublicScope(ctx.caller, account)
  return account
}
