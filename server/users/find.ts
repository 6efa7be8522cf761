import type { Account } from '@/server/kernel/auth/account'
import { findAccountByName } from '@/server/kernel/auth/find-account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, notFound } from '@/server/kernel/errors'
import { maySeeUser, requirePublicScope } from './policy'

/**
 * Finds an account by name, visible or not; for administrators, and for lists of keys, which the contract opens to
 * every signed-in caller. Throws notFound.
 */
export async function getAccount(ctx: ServiceCtx, name: string): Promise<Account> {
  const account = await findAccountByName(ctx.db, name)
  if (!account) throw noSuchUser(name)
  requirePublicScope(ctx.caller, account)
  return account
}

/** As `getAccount`, but an account the caller may not see does not exist for them either. */
export async function getVisibleAccount(ctx: ServiceCtx, name: string): Promise<Account> {
  const account = await findAccountByName(ctx.db, name)
  // One answer for "absent" and "hidden": here nobody learns that a private account exists.
  if (!account || !maySeeUser(ctx.caller, account)) throw noSuchUser(name)
  requirePublicScope(ctx.caller, account)
  return account
}

export const noSuchUser = (name: string): DomainError =>
  notFound(`user redirect does not exist [name: ${name}]`)
