import { type RepositoryAccess, repositoryAccess, subjectFor } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { findPerson, isNameOf } from './collaborators/person'
import { getRepository } from './find'
import { mayAdminister } from './policy'
import type { RepositoryRow } from './store'

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
