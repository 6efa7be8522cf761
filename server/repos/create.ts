import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { getOrg } from '@/server/orgs'
import { getAccount } from '@/server/users'
import { checkBranchName } from './branch-name'
import { initialCommit } from './initial-commit'
import { requireRoom } from './insert-new'
import { checkRepositoryName } from './name'
import { requirePrivateScope } from './policy'
import { saveNew } from './save-new'
import type { CreateRepoOption, Repository } from './schema'
import { findRepositoryByName } from './store'
import { nameTaken } from './taken'

/**
 * Makes a repository of the caller's own.
 * Throws invalid for an unknown template, unprocessable for a name of the repository or branch that cannot be,
 * conflict for a name in use, forbidden for something private by a token limited to public data and for one more
 * repository than the owner can have.
 */
export async function createRepository(ctx: UserCtx, input: CreateRepoOption): Promise<Repository> {
  return await create(ctx, ctx.caller.user, input)
}

/** Makes a repository of an organization. Throws as `createRepository`, notFound, and forbidden for who may not create there. */
export async function createOrgRepository(
  ctx: UserCtx,
  input: CreateRepoOption & { org: string },
): Promise<Repository> {
  return await create(ctx, await creatingOrg(ctx, input.org), input)
}

/**
 * Tells whether the caller, or an organization where they may create repositories, has one of this name already, in any
 * case: creating one would tell the same. Throws notFound, forbidden.
 */
export async function isRepositoryNameTaken(
  ctx: UserCtx,
  input: { owner: string; name: string },
): Promise<boolean> {
  const { user } = ctx.caller
  const isOwn = input.owner.toLowerCase() === user.name.toLowerCase()
  const owner = isOwn ? user : await creatingOrg(ctx, input.owner)
  return (await findRepositoryByName(ctx.db, owner.id, input.name)) !== undefined
}

async function creatingOrg(ctx: UserCtx, name: string): Promise<Account> {
  const { org, access } = await getOrg(ctx, name)
  if (access.mayCreateRepository) return org
  throw forbidden('User is not allowed to create repositories in this organization.')
}

/** Makes a repository of any account, for an administrator. Throws as `createRepository`, and notFound. */
export async function createRepositoryFor(
  ctx: UserCtx,
  input: CreateRepoOption & { username: string },
): Promise<Repository> {
  return await create(ctx, await getAccount(ctx, input.username), input)
}

async function create(ctx: UserCtx, owner: Account, input: CreateRepoOption): Promise<Repository> {
  requirePrivateScope(ctx.caller, input.private)
  const firstCommit = await initialCommit(ctx, owner, input)
  checkRepositoryName(input.name)
  const defaultBranch = input.default_branch || 'main'
  checkBranchName(defaultBranch)
  // The transaction has the last word; this spares the disk what is refused anyway.
  await requireRoom(ctx, ctx.db, owner, 1)
  if (await findRepositoryByName(ctx.db, owner.id, input.name)) throw nameTaken(input.name, { by: 'create' })
  return await saveNew(ctx, owner, input, { defaultBranch, firstCommit })
}
