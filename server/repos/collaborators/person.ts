import type { Account } from '@/server/kernel/auth/account'
import { findPersonByName } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { ifVisible } from '@/server/users'
import { findCollaboration } from './store'

/**
 * Who a call about collaborators names: somebody the caller may see, or a collaborator who went into hiding.
 * Undefined otherwise, for organizations too.
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

/** As `findPerson`. Throws unprocessable for anybody else, with one answer for "absent" and "hidden". */
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

export const isNameOf = ({ caller }: UserCtx, name: string): boolean =>
  caller.user.name.toLowerCase() === name.toLowerCase()
