import type { Db } from '@/db/client'
import type { Visibility } from '@/db/tables/users'
import { decideRepositoryAccess, type RepositoryAccess, type RepositoryFacts, type Subject } from './decide'
import { type Grants, selectDeployGrants, selectGrants } from './grants'
import { outsider, type Role, selectRoles } from './roles'

/** The columns of a repository and its owner that the access rules consider. */
export interface RepositoryRef {
  id: number
  is_private: boolean
  owner: { id: number; visibility: Visibility; kind: 'person' | 'organization' }
}

/** Returns the subject's access to a repository, with the reasons. */
export async function repositoryAccess(
  db: Db,
  subject: Subject,
  repository: RepositoryRef,
): Promise<RepositoryAccess> {
  const [access] = await repositoryAccesses(db, subject, [repository])
  return access as RepositoryAccess
}

/**
 * Returns the subject's access to each of the repositories, in order. It takes at most two queries in total.
 */
export async function repositoryAccesses(
  db: Db,
  subject: Subject,
  repositories: readonly RepositoryRef[],
): Promise<RepositoryAccess[]> {
  const { roles, grants } = await lookUp(db, subject, repositories)
  return repositories.map(repository => accessBy(subject, repository, roles, grants))
}

/**
 * Decides the access to a repository from the subject's roles in organizations and grants on repositories.
 */
export function accessBy(
  subject: Subject,
  repository: RepositoryRef,
  roles: ReadonlyMap<number, Role>,
  grants: ReadonlyMap<number, Grants>,
): RepositoryAccess {
  const role = roles.get(repository.owner.id) ?? outsider
  const granted = grants.get(repository.id)
  return decideRepositoryAccess(subject, {
    isPrivate: repository.is_private,
    job: jobFacts(subject, repository, roles, grants),
    owner: { ...repository.owner, isOrganization: repository.owner.kind === 'organization' },
    isMember: role.isMember,
    isOrganizationOwner: role.isOwner,
    teams: granted?.teams ?? [],
    collaborator: granted?.collaborator,
    deployKey: granted?.deployKey,
  })
}

function jobFacts(
  subject: Subject,
  repository: RepositoryRef,
  roles: ReadonlyMap<number, Role>,
  grants: ReadonlyMap<number, Grants>,
): RepositoryFacts['job'] {
  if (subject.kind !== 'anonymous' || subject.job?.repositoryId !== repository.id) return undefined
  const { units, statuses, actor } = subject.job
  return { units, statuses, limit: actor && accessBy(actor, repository, roles, grants) }
}

async function lookUp(
  db: Db,
  subject: Subject,
  repositories: readonly RepositoryRef[],
): Promise<{ roles: Map<number, Role>; grants: Map<number, Grants> }> {
  if (repositories.length === 0) return { roles: new Map(), grants: new Map() }
  if (subject.kind === 'anonymous') {
    const { deployKey, job } = subject
    const own = repositories.filter(({ id }) => id === job?.repositoryId)
    if (job?.actor) return await lookUp(db, job.actor, own)
    const ids = repositories.map(repository => repository.id)
    const grants = deployKey === undefined ? new Map() : await selectDeployGrants(db, deployKey, ids)
    return { roles: new Map(), grants }
  }
  const organizations = repositories.map(({ owner }) => owner).filter(owner => owner.kind === 'organization')
  const orgIds = [...new Set(organizations.map(owner => owner.id))]
  // Nobody is granted anything on their own repositories.
  const ids = repositories.flatMap(({ id, owner }) => (owner.id === subject.id ? [] : id))
  const [roles, grants] = await Promise.all([
    orgIds.length > 0 ? selectRoles(db, subject.id, orgIds) : new Map(),
    ids.length > 0 ? selectGrants(db, subject.id, ids) : new Map(),
  ])
  return { roles, grants }
}
