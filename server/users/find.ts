import { maySeePerson, organizationAccess, requirePublic, seesOnlyPublic, subjectOf } from '@/server/access'
import {
  type Account,
  findAccountByName,
  findPersonByName,
  findRenamedAccount,
} from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, moved, notFound } from '@/server/kernel/errors'

/**
 * Finds a person by name, visible or not: for administrators, and for what only people have.
 * @throws {DomainError} notFound, for the name of an organization too; forbidden for a token limited to public data.
 */
export async function getPerson(ctx: ServiceCtx, name: string): Promise<Account> {
  return admit(ctx, name, await findPersonByName(ctx.db, name))
}

/**
 * Finds a person or organization by name. One the caller may not see does not exist for them.
 * @throws {DomainError} notFound; forbidden for a token limited to public data.
 */
export async function getVisibleAccount(ctx: ServiceCtx, name: string): Promise<Account> {
  // One answer for "absent" and "hidden": here nobody learns that a private account exists.
  return admit(ctx, name, await findVisibleAccount(ctx, name))
}

/**
 * Finds the person or organization of a `username` in a path. One the caller may not see does not exist for them.
 * @throws {DomainError} notFound; moved after a rename; forbidden for a token limited to public data.
 */
export async function getAccountOrMoved(ctx: ServiceCtx, name: string): Promise<Account> {
  const account = await findVisibleAccount(ctx, name)
  if (account) return account
  const renamed = await findRenamedAccount(ctx.db, name)
  // Whoever may not see the account must not learn its new name.
  const isOpen = renamed && (renamed.visibility === 'public' || !seesOnlyPublic(ctx.caller))
  throw isOpen && (await isVisible(ctx, renamed)) ? moved('username', renamed.name) : noSuchUser(name)
}

/**
 * Finds a person or organization by name; undefined for one the caller may not see.
 * @throws {DomainError} forbidden for a token limited to public data.
 */
export async function findVisibleAccount(ctx: ServiceCtx, name: string): Promise<Account | undefined> {
  const account = await findAccountByName(ctx.db, name)
  return account && (await ifVisible(ctx, account))
}

/**
 * Returns the account if the caller may see it, undefined otherwise.
 * @throws {DomainError} forbidden for a token limited to public data.
 */
export async function ifVisible(ctx: ServiceCtx, account: Account): Promise<Account | undefined> {
  if (!(await isVisible(ctx, account))) return undefined
  requirePublic(ctx.caller, 'users', account.visibility === 'public')
  return account
}

async function isVisible(ctx: ServiceCtx, account: Account): Promise<boolean> {
  const subject = subjectOf(ctx.caller)
  if (account.kind === 'person') return maySeePerson(subject, account)
  return (await organizationAccess(ctx.db, subject, account)).visible
}

function admit(ctx: ServiceCtx, name: string, account: Account | undefined): Account {
  if (!account) throw noSuchUser(name)
  requirePublic(ctx.caller, 'users', account.visibility === 'public')
  return account
}

export const noSuchUser = (name: string): DomainError =>
  notFound(`user redirect does not exist [name: ${name}]`, { reason: { code: 'noSuchAccount', name } })
