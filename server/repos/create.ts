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
import { fillLabels, labelTemplateNames } from '@/server/labels'
import { isOrgMember, loadOrganization, type OrganizationFor } from '@/server/orgs'
import { saveCollaborator } from './collaborators/store'
import { initialCommit, unknownTemplate } from './initial-commit'
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
 * Creates a repository owned by the caller.
 * @throws {DomainError} invalid for an unknown template; unprocessable for a repository or branch name that
 * is not allowed; alreadyExists for a name in use; forbidden for a private repository if the token is limited
 * to public data, and above the owner's repository limit; tooManyRequests if Git is overloaded.
 */
export async function createRepository(ctx: UserCtx, input: CreateRepoOption): Promise<Repository> {
  return await create(ctx, ctx.caller.user, input)
}

/**
 * Creates a repository owned by an organization.
 * @throws {DomainError} invalid for an unknown template; unprocessable for a repository or branch name that
 * is not allowed; alreadyExists for a name in use; forbidden for a private repository if the token is limited
 * to public data, and above the owner's repository limit; tooManyRequests if Git is overloaded.
 */
export async function createOrgRepository(
  ctx: UserCtx,
  { org }: OrganizationFor<'repositoryCreation'>,
  input: CreateRepoOption,
): Promise<Repository> {
  return await create(ctx, org, input)
}

/**
 * Returns whether an owner already has a repository with this name, ignoring case. The owner is the caller or
 * an organization in which they can create repositories.
 * @throws {DomainError} notFound for an unknown organization; forbidden if the caller cannot create
 * repositories in it.
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
 * Creates a repository for any account, on behalf of a site administrator.
 * @throws {DomainError} invalid for an unknown template; unprocessable for a repository or branch name that
 * is not allowed; alreadyExists for a name in use; forbidden for a private repository if the token is limited
 * to public data, and above the owner's repository limit; tooManyRequests if Git is overloaded.
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
  if (input.issue_labels && !labelTemplateNames.includes(input.issue_labels))
    throw unknownTemplate(
      'issue_labels',
      input.issue_labels,
      'see GET /label/templates for the available ones',
    )
  checkRepositoryName(input.name)
  const defaultBranch = input.default_branch || 'main'
  checkBranchName(defaultBranch)
  // The transaction checks this again. Checking here avoids creating files for a request that is refused
  // anyway.
  await requireBelowMaximum(ctx, ctx.db, owner, 1)
  if (await findRepositoryByName(ctx.db, owner.id, input.name)) throw nameInUse(input.name, { by: 'create' })
  return await save(ctx, owner, input, { defaultBranch, firstCommit })
}

interface Beginning {
  defaultBranch: string
  firstCommit: FirstCommit | undefined
}

// Creates the files before the row: files without a row are cleaned up, but a row without files would be a
// broken repository.
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
  const repository = await insert(ctx, owner, row, input.issue_labels).catch(async error => {
    await discard(ctx, storageKey)
    throw explainRefusal(error, input.name, 'create')
  })
  await dropIntent(ctx.config, storageKey)
  return viewRepository(ctx, await repositoryWithAccess(ctx, repository, owner))
}

// A commit can succeed even if its response is lost, so files that belong to a row are not removed. If the
// database cannot be queried, the cleanup job decides later.
async function discard(ctx: UserCtx, storageKey: string): Promise<void> {
  try {
    const known = await selectKnownStorageKeys(ctx.db, [storageKey])
    if (!known.has(storageKey)) await removeBareRepository(ctx.config, storageKey)
  } catch (error) {
    ctx.log.warn(
      { err: error, storageKey },
      'could not clean up after a failed repository creation; left to the cleanup job',
    )
  }
}

function insert(
  ctx: UserCtx,
  owner: Account,
  row: NewRepository,
  labelTemplate: string | undefined,
): Promise<RepositoryRow> {
  return withTransaction(ctx.db, async trx => {
    const repository = await insertRepository(trx, row)
    // The insert has already counted the repository in the owner's row and locked that row.
    await requireBelowMaximum(ctx, trx, owner, 0)
    await freeName(trx, owner.id, row.name)
    if (owner.kind === 'organization') await joinOrganization(ctx, trx, repository, owner)
    const { id, name, is_private } = repository
    if (labelTemplate) await fillLabels(trx, id, labelTemplate)
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
 * Adds a repository that was just created in or transferred to an organization to the organization's teams
 * that include all repositories. Also makes the caller an administrator of the repository if the caller is a
 * member of the organization and does not administer the repository already.
 */
export async function joinOrganization(
  ctx: UserCtx,
  trx: Transaction<Database>,
  repository: RepositoryRow,
  owner: Account,
): Promise<void> {
  // This must be a separate statement after the owner's row is locked: a team that is concurrently created or
  // extended to all repositories then either finds this repository or is found here.
  await attachToWideTeams(trx, repository)
  await makeAdministrator(ctx, trx, repository, owner)
}

/**
 * Requires that an account can own `more` additional repositories under its repository limit, or under the
 * site's limit if the account has none. Callers who are site administrators are exempt.
 * @throws {DomainError} forbidden above the limit.
 */
export async function requireBelowMaximum(ctx: UserCtx, db: Db, owner: Account, more: 0 | 1): Promise<void> {
  const most = owner.max_repositories ?? ctx.config.maxRepositories
  if (isAdmin(ctx.caller) || (await countOwned(db, owner.id)) + more <= most) return
  throw forbidden(`user has reached maximum limit of repositories [limit: ${most}]`, {
    reason: { code: 'tooMany', what: 'repositories', most },
  })
}

// The creator can administer the new repository even if their team only permits creating repositories.
async function makeAdministrator(
  ctx: UserCtx,
  trx: Transaction<Database>,
  repository: RepositoryRow,
  owner: Account,
): Promise<void> {
  const creator = ctx.caller.user
  // A creator who was removed from the organization in the meantime gets no access.
  if (!(await isOrgMember(trx, owner.id, creator.id))) return
  const access = await repositoryAccess(trx, subjectFor(creator), { ...repository, owner })
  if (!atLeast(access.mode, 'admin')) await saveCollaborator(trx, repository.id, creator.id, 'admin')
}
