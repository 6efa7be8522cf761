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
 * Finds a person by name, even if the caller cannot see them. Intended for administrators and for resources
 * that only people have.
 * @throws {DomainError} notFound if the name is unknown or an organization's; forbidden if the caller uses a
 * public-only token and the account is not public.
 */
export async function getPerson(ctx: ServiceCtx, name: string): Promise<Account> {
  return admit(ctx, name, await findPersonByName(ctx.db, name))
}

/**
 * Finds a person or organization by name. To callers who cannot see an account, it does not exist.
 * @throws {DomainError} notFound if the account is absent or hidden; forbidden if the caller uses a
 * public-only token and the account is not public.
 */
export async function getVisibleAccount(ctx: ServiceCtx, name: string): Promise<Account> {
  // The same error for absent and hidden accounts, so that private accounts are not revealed.
  return admit(ctx, name, await findVisibleAccount(ctx, name))
}

/**
 * Finds the person or organization that a request's `username` path parameter names. To callers who cannot
 * see an account, it does not exist.
 * @throws {DomainError} notFound if the account is absent or hidden; moved if it was renamed; forbidden if
 * the caller uses a public-only token and the account is not public.
 */
export async function getAccountOrMoved(ctx: ServiceCtx, name: string): Promise<Account> {
  const account = await findVisibleAccount(ctx, name)
  if (account) return account
  const renamed = await findRenamedAccount(ctx.db, name)
  // The new name must not be revealed to callers who cannot see the account.
  const isOpen = renamed && (renamed.visibility === 'public' || !seesOnlyPublic(ctx.caller))
  throw isOpen && (await isVisible(ctx, renamed)) ? moved('username', renamed.name) : noSuchUser(name)
}

/**
 * Finds a person or organization by name; undefined if the account is absent or hidden from the caller.
 * @throws {DomainError} forbidden if the caller uses a public-only token and the account is not public.
 */
export async function findVisibleAccount(ctx: ServiceCtx, name: string): Promise<Account | undefined> {
  const account = await findAccountByName(ctx.db, name)
  return account && (await ifVisible(ctx, account))
}

/**
 * Returns the account if the caller can see it, undefined otherwise.
 * @throws {DomainError} forbidden if the caller uses a public-only token and the account is not public.
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
