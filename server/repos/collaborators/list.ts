import { maySeePerson, subjectOf } from '@/server/access'
import { highest } from '@/server/access/access-mode'
import { selectBlockedBetween } from '@/server/blocks'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { findPeople, viewUser } from '@/server/users'
import type { Candidate, User } from '@/server/users/schema'
import { accessOfNamed } from '../get'
import { getRepository, loadRepository, type RepositoryFor, type RepositoryWithAccess } from '../load'
import { type administration, mayWriteCode, writeCode } from '../policy'
import type { RepoPath } from '../schema'
import { getPerson, noSuchPerson } from './person'
import type { Collaborator, RepoCollaboratorPermission } from './schema'
import { countCollaborators, findCollaboration, selectCollaborators, selectCollaboratorsAmong } from './store'

type ListInput = PageRequest & RepoPath

/**
 * Lists a page of a repository's collaborators, for anyone who can see the repository. Private users are
 * listed only for callers who can push and for themselves.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function listCollaborators(ctx: UserCtx, input: ListInput): Promise<Page<User>> {
  const page = await list(ctx, await getRepository(ctx, input), input)
  return { ...page, items: page.items.map(({ user }) => user) }
}

/**
 * Lists a page of a repository's collaborators with their permissions, for callers who can push.
 * @throws {DomainError} notFound; moved after a rename; forbidden for callers who cannot push.
 */
export async function listWithModes(ctx: UserCtx, input: ListInput): Promise<Page<Collaborator>> {
  return await list(ctx, await loadRepository(ctx, input, writeCode), input)
}

async function list(
  ctx: UserCtx,
  found: RepositoryWithAccess,
  input: PageRequest,
): Promise<Page<Collaborator>> {
  const of = {
    repositoryId: found.repository.id,
    openTo: mayWriteCode(found) ? undefined : ctx.caller.user.id,
  }
  const rows = await selectCollaborators(ctx.db, of, input)
  const page = await pageFromRows(input, rows, () => countCollaborators(ctx.db, of))
  const items = page.items.map(({ mode, ...row }) => ({
    user: viewUser(ctx, row),
    mode,
  }))
  return { ...page, items }
}

/**
 * Finds people to suggest as collaborators for a partly typed name, each with the reason they cannot be
 * added, if any.
 */
export async function listCollaboratorCandidates(
  ctx: UserCtx,
  { repository }: RepositoryFor<typeof administration>,
  text: string,
): Promise<Candidate[]> {
  const { id, owner_id } = repository
  const found = await findPeople(ctx, text)
  const ids = found.map(account => account.id)
  const collaborators = await selectCollaboratorsAmong(ctx.db, id, ids)
  const blocked = await selectBlockedBetween(ctx.db, [owner_id, ctx.caller.user.id], ids)
  return found.map(account => ({
    user: viewUser(ctx, account),
    obstacle:
      account.id === owner_id
        ? 'owner'
        : collaborators.has(account.id)
          ? 'collaborator'
          : blocked.has(account.id)
            ? 'blocked'
            : null,
  }))
}

/**
 * Requires that a person is a collaborator. Anyone who can see the repository can check this.
 * @throws {DomainError} notFound if the person is not a collaborator; moved after a rename; unprocessable for
 * a name that is unknown or hidden from the caller.
 */
export async function requireCollaborator(
  ctx: UserCtx,
  input: RepoPath & { collaborator: string },
): Promise<void> {
  const found = await getRepository(ctx, input)
  const { id } = found.repository
  const person = await getPerson(ctx, id, input.collaborator)
  if (!mayWriteCode(found) && !maySeePerson(subjectOf(ctx.caller), person))
    throw noSuchPerson(input.collaborator)
  if (!(await findCollaboration(ctx.db, id, person.id))) throw notFound()
}

/**
 * Returns the higher of a person's permissions on a repository as a whole and on its code, from all sources,
 * such as teams. Available to the repository's administrators and to the person themselves.
 * @throws {DomainError} notFound, also for an unknown username; moved after a rename; forbidden for all other
 * callers.
 */
export async function showPermission(
  ctx: UserCtx,
  input: RepoPath & { collaborator: string },
): Promise<RepoCollaboratorPermission> {
  const { person, access } = await accessOfNamed(ctx, input, input.collaborator)
  const permission = highest([access.mode, access.units['repo.code'].mode])
  const user = viewUser(ctx, person)
  return { permission, role_name: permission, user }
}
