import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { repositoryAccess, requirePublic, subjectFor } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import { isAdmin } from '@/server/kernel/caller'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { withGitSlot } from '@/server/kernel/git/slots'
import { isOrgMember, loadOrganization, type OrganizationFor } from '@/server/orgs'
import { saveCollaborator } from './collaborators/store'
import { initialCommit } from './initial-commit'
import { repositoryWithAccess } from './load'
import { checkRepositoryName } from './name'
import { checkBranchName, explainRefusal, nameInUse } from './name-errors'
import type { CreateRepoOption, Repository } from './schema'
import {
  dropIntent,
  type FirstCommit,
  makeBareRepository,
  newStorageKey,
  removeBareRepository,
} from './storage'
import {
  attachToWideTeams,
  countOwned,
  findRepositoryByName,
  freeName,
  insertRepository,
  type NewRepository,
  type RepositoryRow,
  selectKnownStorageKeys,
} from './store'
import { viewRepository } from './view'

/**
 * Creates a repository that the caller owns.
 * @throws {DomainError} invalid for an unknown template; unprocessable for a repository or branch name that cannot be;
 * alreadyExists for a name in use; forbidden for a private repository by a token limited to public data, and above the
 * owner's maximum; tooManyRequests when git is overloaded.
 */
export async function createRepository(ctx: UserCtx, input: CreateRepoOption): Promise<Repository> {
  return await create(ctx, ctx.caller.user, input)
}

/**
 * Creates a repository that an organization owns.
 * @throws {DomainError} invalid for an unknown template; unprocessable for a repository or branch name that cannot be;
 * alreadyExists for a name in use; forbidden for a private repository by a token limited to public data, and above the
 * owner's maximum; tooManyRequests when git is overloaded.
 */
export async function createOrgRepository(
  ctx: UserCtx,
  { org }: OrganizationFor<'repositoryCreation'>,
  input: CreateRepoOption,
): Promise<Repository> {
  return await create(ctx, org, input)
}

/**
 * Tells whether the caller, or an organization they may create repositories in, has a repository of this name, in any
 * case.
 * @throws {DomainError} notFound for an unknown organization, forbidden where the caller may not create repositories.
 */
export async function isRepositoryNameInUse(
  ctx: UserCtx,
  input: { owner: string; name: string },
): Promise<boolean> {
  const { user } = ctx.caller
  const isOwn = input.owner.toLowerCase() === user.name.toLowerCase()
  const owner = isOwn ? user : (await loadOrganization(ctx, input.owner, 'repositoryCreation')).org
  return (await findRepositoryByName(ctx.db, owner.id, input.name)) !== undefined
}

/**
 * Creates a repository that any account owns, on behalf of an administrator.
 * @throws {DomainError} invalid for an unknown template; unprocessable for a repository or branch name that cannot be;
 * alreadyExists for a name in use; forbidden for a private repository by a token limited to public data, and above the
 * owner's maximum; tooManyRequests when git is overloaded.
 */
export async function createRepositoryFor(
  ctx: AdminCtx,
  owner: Account,
  input: CreateRepoOption,
): Promise<Repository> {
  return await create(ctx, owner, input)
}

async function create(ctx: UserCtx, owner: Account, input: CreateRepoOption): Promise<Repository> {
  requirePublic(ctx.caller, 'repos', !input.private)
  const firstCommit = await initialCommit(ctx, owner, input)
  checkRepositoryName(input.name)
  const defaultBranch = input.default_branch || 'main'
  checkBranchName(defaultBranch)
  // The transaction checks again; this spares the disk what is refused anyway.
  await requireBelowMaximum(ctx, ctx.db, owner, 1)
  if (await findRepositoryByName(ctx.db, owner.id, input.name)) throw nameInUse(input.name, { by: 'create' })
  return await save(ctx, owner, input, { defaultBranch, firstCommit })
}

interface Beginning {
  defaultBranch: string
  firstCommit: FirstCommit | undefined
}

// First the bare repository on the disk, then its row with all that belongs to it.
async function save(
  ctx: UserCtx,
  owner: Account,
  input: CreateRepoOption,
  { defaultBranch, firstCommit }: Beginning,
): Promise<Repository> {
  await ctx.ownLocations.requireRepositories()
  const storageKey = newStorageKey()
  const objectFormat = input.object_format_name || 'sha1'
  const layout = { storageKey, objectFormat, defaultBranch, firstCommit } as const
  const { sizeKib, branchCount } = await withGitSlot(ctx, () => makeBareRepository(ctx.config, layout))
  const now = ctx.clock.now()
  const row: NewRepository = {
    owner_id: owner.id,
    name: input.name,
    description: input.description ?? '',
    is_private: input.private ?? false,
    is_template: input.template ?? false,
    is_empty: firstCommit === undefined,
    default_branch: defaultBranch,
    object_format: objectFormat,
    storage_key: storageKey,
    size_kib: sizeKib,
    branch_count: branchCount,
    tag_count: 0,
    created_at: now,
    updated_at: now,
    pushed_at: firstCommit ? now : null,
  }
  const repository = await insert(ctx, owner, row).catch(async error => {
    await discard(ctx, storageKey)
    throw explainRefusal(error, input.name, 'create')
  })
  await dropIntent(ctx.config, storageKey)
  return viewRepository(ctx, await repositoryWithAccess(ctx, repository, owner))
}

// A commit whose answer got lost may have happened: what has a row stays. The sweep sees to what cannot be decided now.
async function discard(ctx: UserCtx, storageKey: string): Promise<void> {
  try {
    const known = await selectKnownStorageKeys(ctx.db, [storageKey])
    if (!known.has(storageKey)) await removeBareRepository(ctx.config, storageKey)
  } catch (error) {
    ctx.log.warn({ err: error, storageKey }, 'a new repository was refused and is left to the sweep')
  }
}

function insert(ctx: UserCtx, owner: Account, row: NewRepository): Promise<RepositoryRow> {
  return withTransaction(ctx.db, async trx => {
    const repository = await insertRepository(trx, row)
    // The insert has counted it in the owner's row, which is locked since.
    await requireBelowMaximum(ctx, trx, owner, 0)
    await freeName(trx, owner.id, row.name)
    if (owner.kind === 'organization') await joinOrganization(ctx, trx, repository, owner)
    const { id, name, is_private } = repository
    await recordEvent(trx, originOf(ctx), {
      kind: 'repository.created',
      ownerId: owner.id,
      repositoryId: id,
      facts: { repositoryId: id, name, private: is_private },
    })
    return repository
  })
}

/**
 * Gives a repository that an organization just got to its teams that include all, and to the caller if they belong to it and
 * would not administer it otherwise.
 */
export async function joinOrganization(
  ctx: UserCtx,
  trx: Transaction<Database>,
  repository: RepositoryRow,
  owner: Account,
): Promise<void> {
  // A statement of its own after the one that locked the owner's row for its counts: a team that is created or widened at the
  // same time either finds this repository or is found here.
  await attachToWideTeams(trx, repository)
  await makeAdministrator(ctx, trx, repository, owner)
}

/**
 * Requires that the account can own this many more, by its own maximum or that of the site. Site administrators are not
 * limited.
 * @throws {DomainError} forbidden.
 */
export async function requireBelowMaximum(ctx: UserCtx, db: Db, owner: Account, more: 0 | 1): Promise<void> {
  const most = owner.max_repositories ?? ctx.config.maxRepositories
  if (isAdmin(ctx.caller) || (await countOwned(db, owner.id)) + more <= most) return
  throw forbidden(`user has reached maximum limit of repositories [limit: ${most}]`, {
    reason: { code: 'tooMany', what: 'repositories', most },
  })
}

// The creator can go on with it, though their team may only create.
async function makeAdministrator(
  ctx: UserCtx,
  trx: Transaction<Database>,
  repository: RepositoryRow,
  owner: Account,
): Promise<void> {
  const creator = ctx.caller.user
  // Somebody removed from the organization in the meantime gets no access.
  if (!(await isOrgMember(trx, owner.id, creator.id))) return
  const access = await repositoryAccess(trx, subjectFor(creator), { ...repository, owner })
  if (!atLeast(access.mode, 'admin')) await saveCollaborator(trx, repository.id, creator.id, 'admin')
}
