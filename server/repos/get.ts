import { type RepositoryAccess, repositoryAccess, subjectFor } from '@/server/access'
import { units } from '@/server/access/units'
import type { Account } from '@/server/kernel/auth/account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { viewUser } from '@/server/users'
import { findPerson, isNameOf } from './collaborators/person'
import { getRepository, getRepositoryById } from './load'
import { mayAdminister, pushRefusal } from './policy'
import type { AccessExplanation, Repository } from './schema'
import type { RepositoryRow } from './store'
import { viewRepository } from './view'

/** A repository by its owner's name and its own. Throws notFound, and moved after a rename of either. */
export async function showRepository(
  ctx: ServiceCtx,
  path: { owner: string; repo: string },
): Promise<Repository> {
  return viewRepository(ctx, await getRepository(ctx, path))
}

/** The same by its id, which stays whatever it is called. Throws notFound. */
export async function showRepositoryById(ctx: ServiceCtx, id: number): Promise<Repository> {
  return viewRepository(ctx, await getRepositoryById(ctx, id))
}

/**
 * What the person named may do on each part of a repository, and why, and whether they can push at this moment. For
 * administrators of the repository, and about oneself.
 * @throws {DomainError} notFound, also for an unknown name, moved after a rename, forbidden.
 */
export async function explainAccess(
  ctx: UserCtx,
  input: { owner: string; repo: string; username: string },
): Promise<AccessExplanation> {
  const { person, access, repository } = await accessOfNamed(ctx, input, input.username)
  const reason = pushRefusal({ access, repository }, person)
  return {
    user: viewUser(ctx, person),
    mode: access.mode,
    push: { allowed: reason === null, reason },
    units: units.map(unit => {
      const { mode, reasons } = access.units[unit]
      return { unit, mode, reasons: [...reasons] }
    }),
  }
}

/**
 * Looks at a repository with somebody else's eyes; for its administrators, and about oneself.
 * Throws notFound, also for an unknown name, moved after a rename, forbidden.
 */
export async function accessOfNamed(
  ctx: UserCtx,
  path: { owner: string; repo: string },
  name: string,
): Promise<{ person: Account; access: RepositoryAccess; repository: RepositoryRow }> {
  const found = await getRepository(ctx, path)
  if (!isNameOf(ctx, name) && !mayAdminister(found)) {
    throw forbidden('repository administrators may ask about everybody, others only about themselves')
  }
  const { repository, owner } = found
  const person = await findPerson(ctx, repository.id, name)
  if (!person) throw notFound()
  const access = await repositoryAccess(ctx.db, subjectFor(person), { ...repository, owner })
  return { person, access, repository }
}
