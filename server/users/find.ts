import { requirePublic } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import { findAccountByName, findPersonByName } from '@/server/kernel/auth/find-account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, notFound } from '@/server/kernel/errors'
import { maySeeAccount } from './policy'

/**
 * Finds a person by name, visible or not: for administrators, and for what only people have.
 * Throws notFound, for the name of an organization too.
 */
export async function getPerson(ctx: ServiceCtx, name: string): Promise<Account> {
  return admit(ctx, name, await findPersonByName(ctx.db, name))
}

/**
 * Finds a person, visible or not, or an organization the caller may see: for administrators, and for lists of keys,
 * which the contract opens to every signed-in caller. Throws notFound.
 */
export async function getAccount(ctx: ServiceCtx, name: string): Promise<Account> {
  const account = await findAccountByName(ctx.db, name)
  const hidden = account?.kind === 'organization' && !(await maySeeAccount(ctx, account))
  return admit(ctx, name, hidden ? undefined : account)
}

/** Finds a person or organization by name. One the caller may not see does not exist for them. Throws notFound. */
export async function getVisibleAccount(ctx: ServiceCtx, name: string): Promise<Account> {
  const account = await findAccountByName(ctx.db, name)
  // One answer for "absent" and "hidden": here nobody learns that a private account exists.
  return admit(ctx, name, account && (await maySeeAccount(ctx, account)) ? account : undefined)
}

function admit(ctx: ServiceCtx, name: string, account: Account | undefined): Account {
  if (!account) throw noSuchUser(name)
  requirePublic(ctx.caller, 'users', account.visibility === 'public')
  return account
}

export const noSuchUser = (name: string): DomainError =>
  notFound(`user redirect does not exist [name: ${name}]`, { reason: { code: 'noSuchAccount', name } })
