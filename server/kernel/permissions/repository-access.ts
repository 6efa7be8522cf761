import type { Db } from '@/db/client'
import type { Visibility } from '@/db/tables/users'
import { type Asker, decideRepositoryAccess, type RepositoryAccess } from './decide'
import { selectGrants } from './grants'
import { outsider, selectRoles } from './roles'

/** What of a repository and its owner the rules look at. */
export interface AccessSubject {
  id: number
  is_private: boolean
  owner: { id: number; visibility: Visibility; kind: 'person' | 'organization' }
}

/** What this asker may do on the repository, with the reasons. The one place that answers it (design D9). */
export async function repositoryAccess(
  db: Db,
  asker: Asker,
  repository: AccessSubject,
): Promise<RepositoryAccess> {
  const [access] = await repositoryAccesses(db, asker, [repository])
  return access as RepositoryAccess
}

/** The same for many repositories, in their order, with two queries for all of them. */
export async function repositoryAccesses(
  db: Db,
  asker: Asker,
  repositories: readonly AccessSubject[],
): Promise<RepositoryAccess[]> {
  const { roles, grants } = await lookUp(db, asker, repositories)
  return repositories.map(repository => {
    const role = roles.get(repository.owner.id) ?? outsider
    const given = grants.get(repository.id)
    return decideRepositoryAccess(asker, {
      isPrivate: repository.is_private,
      owner: { ...repository.owner, isOrganization: repository.owner.kind === 'organization' },
      isMember: role.isMember,
      isOrganizationOwner: role.isOwner,
      teams: given?.teams ?? [],
      collaborator: given?.collaborator,
    })
  })
}

async function lookUp(
  db: Db,
  asker: Asker,
  repositories: readonly AccessSubject[],
): Promise<{
  roles: Awaited<ReturnType<typeof selectRoles>>
  grants: Awaited<ReturnType<typeof selectGrants>>
}> {
  if (asker.kind === 'anonymous' || repositories.length === 0) return { roles: new Map(), grants: new Map() }
  const organizations = repositories.map(({ owner }) => owner).filter(owner => owner.kind === 'organization')
  const orgIds = [...new Set(organizations.map(owner => owner.id))]
  const [roles, grants] = await Promise.all([
    orgIds.length > 0 ? selectRoles(db, asker.id, orgIds) : new Map(),
    selectGrants(
      db,
      asker.id,
      repositories.map(repository => repository.id),
    ),
  ])
  return { roles, grants }
}
