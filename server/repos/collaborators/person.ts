import { type Account, findPersonByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { ifVisible } from '@/server/users'
import { findCollaboration } from './store'

/**
 * Finds the person whom a call about collaborators names: one the caller may see, or a collaborator, hidden or not.
 * Undefined for everybody else and for organizations.
 */
export async function findPerson(
  ctx: UserCtx,
  repositoryId: number,
  name: string,
): Promise<Account | undefined> {
  const account = await findPersonByName(ctx.db, name)
  if (!account) return undefined
  if (await findCollaboration(ctx.db, repositoryId, account.id)) return account
  return await ifVisible(ctx, account)
}

/**
 * Finds the person whom a call about collaborators names: one the caller may see, or a collaborator, hidden or not.
 * @throws {DomainError} unprocessable, with one answer for unknown names, hidden people and organizations.
 */
export async function getPerson(ctx: UserCtx, repositoryId: number, name: string): Promise<Account> {
  const person = await findPerson(ctx, repositoryId, name)
  if (person) return person
  throw noSuchPerson(name)
}

export const noSuchPerson = (name: string): DomainError =>
  unprocessable(`user does not exist [name: ${name}]; only people can be collaborators`, {
    field: 'collaborator',
    reason: { code: 'noSuchPerson', name },
  })
