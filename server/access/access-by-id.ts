import type { Db } from '@/db/client'
import type { RepositoryAccess, Subject } from './decide'
import { selectGrantsOf } from './grants'
import { decideOrganizationRights, type OrganizationRef, type OrganizationRights } from './organization'
import { accessBy, type RepositoryRef } from './repository'
import { outsider, selectRolesOf } from './roles'

/**
 * Access of one subject (a user or an anonymous caller) to organizations and repositories, by ID. Each method
 * computes the access when it is called, and returns undefined for an ID that was not requested.
 */
export interface AccessById {
  organization(id: number): OrganizationRights | undefined
  repository(id: number): RepositoryAccess | undefined
}

/**
 * Returns, for each subject in order, their access to each of the organizations and repositories. It takes at
 * most two queries in total.
 */
export async function accessByIdOf(
  db: Db,
  subjects: readonly Subject[],
  {
    organizations,
    repositories,
  }: { organizations: readonly OrganizationRef[]; repositories: readonly RepositoryRef[] },
): Promise<AccessById[]> {
  const people = subjects.flatMap(subject => (subject.kind === 'user' ? subject.id : []))
  const owners = repositories.flatMap(({ owner }) => (owner.kind === 'organization' ? owner.id : []))
  const orgIds = [...new Set([...organizations.map(({ id }) => id), ...owners])]
  const repositoryIds = repositories.map(({ id }) => id)
  const nobody = people.length === 0
  const [roles, grants] = await Promise.all([
    nobody || orgIds.length === 0 ? undefined : selectRolesOf(db, people, orgIds),
    nobody || repositoryIds.length === 0 ? undefined : selectGrantsOf(db, people, repositoryIds),
  ])
  const orgsById = new Map(organizations.map(org => [org.id, org]))
  const repositoriesById = new Map(repositories.map(repository => [repository.id, repository]))
  return subjects.map(subject => {
    const id = subject.kind === 'user' ? subject.id : 0
    const [own, granted] = [roles?.get(id) ?? new Map(), grants?.get(id) ?? new Map()]
    return {
      organization(orgId) {
        const org = orgsById.get(orgId)
        return org && decideOrganizationRights(subject, org, own.get(orgId) ?? outsider)
      },
      repository(repositoryId) {
        const repository = repositoriesById.get(repositoryId)
        return repository && accessBy(subject, repository, own, granted)
      },
    }
  })
}
