import type { Account } from '@/server/kernel/auth/account'
import { findRenamedAccount } from '@/server/kernel/auth/find-redirect'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { DomainError, isDomainError } from '@/server/kernel/errors'
import { getVisibleAccount } from './find'
import type { User } from './schema'
import { viewUser } from './view'

/** Shows the account of this name. Throws notFound for one absent or hidden, and moved after a rename. */
export async function getUser(ctx: ServiceCtx, name: string): Promise<User> {
  return viewUser(ctx, await getAccountOrMoved(ctx, name))
}

/** The account of a `username` in a path. Throws as `getVisibleAccount`, and moved after a rename. */
export async function getAccountOrMoved(ctx: ServiceCtx, name: string): Promise<Account> {
  return await getVisibleAccount(ctx, name).catch((error: unknown) => follow(ctx, name, error))
}

// Whoever may not see the account must not learn its new name.
async function follow(ctx: ServiceCtx, name: string, error: unknown): Promise<Account> {
  const renamed =
    isDomainError(error) && error.kind === 'notFound' && (await findRenamedAccount(ctx.db, name))
  if (!renamed) throw error
  await getVisibleAccount(ctx, renamed.name).catch(() => {
    throw error
  })
  throw new DomainError('moved', 'moved', {
    field: 'username',
    movedTo: { name: renamed.name, permanent: false },
  })
}
