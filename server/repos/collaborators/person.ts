import { type Account, findPersonByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { ifVisible } from '@/server/users'
import { findCollaboration } from './store'

/**
 * Finds the person named in a request about collaborators. Returns undefined for unknown names, for
 * organizations, and for people hidden from the caller who are not collaborators.
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
 * Returns the person named in a request about collaborators, if they are visible to the caller or a
 * collaborator.
 * @throws {DomainError} unprocessable, with the same message for unknown names, hidden people and
 * organizations.
 */
export async function getPerson(ctx: UserCtx, repositoryId: number, name: string): Promise<Account> {
  const person = await findPerson(ctx, repositoryId, name)
  if (person) return person
  throw noSuchPerson(name)
}

export const noSuchPerson = (name: string): DomainError =>
  unprocessable(`user does not exist [name: ${name}]; only user accounts can be collaborators`, {
    field: 'collaborator',
    reason: { code: 'noSuchPerson', name },
  })
