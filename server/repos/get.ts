import { pushRefusal, type RepositoryAccess, repositoryAccess, subjectFor } from '@/server/access'
import { units } from '@/server/access/units'
import { accountObstacle } from '@/server/auth/acting-account'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { viewUser } from '@/server/users'
import { findPerson } from './collaborators/person'
import { getRepository, getRepositoryById } from './load'
import { mayAdminister } from './policy'
import type { AccessExplanation, RepoPath, Repository } from './schema'
import type { RepositoryRow } from './store'
import { viewWithTransfer } from './transfer/view'

/**
 * Returns a repository, looked up by owner and name.
 * @throws {DomainError} notFound; moved after a rename of the repository or its owner.
 */
export async function showRepository(ctx: ServiceCtx, path: RepoPath): Promise<Repository> {
  return await viewWithTransfer(ctx, await getRepository(ctx, path))
}

/**
 * Returns a repository, looked up by its ID, which does not change on a rename.
 * @throws {DomainError} notFound.
 */
export async function showRepositoryById(ctx: ServiceCtx, id: number): Promise<Repository> {
  return await viewWithTransfer(ctx, await getRepositoryById(ctx, id))
}

/**
 * Explains a person's permission on each part of a repository and the reasons for it, and whether the person
 * can push now. Available to the repository's administrators and to the person themselves.
 * @throws {DomainError} notFound, also for an unknown username; moved after a rename; forbidden for all other
 * callers.
 */
export async function explainAccess(
  ctx: UserCtx,
  input: RepoPath & { username: string },
): Promise<AccessExplanation> {
  const { person, access, repository } = await accessOfNamed(ctx, input, input.username)
  const reason = pushRefusal({ access, repository }, person)
  return {
    user: viewUser(ctx, person),
    mode: access.mode,
    push: {
      allowed: reason === null,
      reason,
      account: reason === 'account' ? accountObstacle(person) : null,
    },
    units: units.map(unit => {
      const { mode, reasons } = access.units[unit]
      return { unit, mode, reasons: [...reasons] }
    }),
  }
}

/**
 * Computes a person's access to a repository, looked up by username. Available to the repository's
 * administrators and to the person themselves.
 * @throws {DomainError} notFound, also for an unknown username; moved after a rename; forbidden for all other
 * callers.
 */
export async function accessOfNamed(
  ctx: UserCtx,
  path: RepoPath,
  name: string,
): Promise<{ person: Account; access: RepositoryAccess; repository: RepositoryRow }> {
  const found = await getRepository(ctx, path)
  if (!isNameOf(ctx, name) && !mayAdminister(found)) {
    throw forbidden('only repository administrators can query the access of other users')
  }
  const { repository, owner } = found
  const person = await findPerson(ctx, repository.id, name)
  if (!person) throw notFound()
  const access = await repositoryAccess(ctx.db, subjectFor(person), { ...repository, owner })
  return { person, access, repository }
}

const isNameOf = ({ caller }: UserCtx, name: string): boolean =>
  caller.user.name.toLowerCase() === name.toLowerCase()
