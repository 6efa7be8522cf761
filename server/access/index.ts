/** Access rules: each exists once as a function and once as an SQL condition for lists. */

export { type AccessById, accessByIdOf } from './access-by-id'
export { maySeePerson, visiblePeople } from './account'
export type { Allowed } from './allowed'
export {
  decideRepositoryAccess,
  maySeeRepository,
  type RepositoryAccess,
  type RepositoryFacts,
  type Subject,
  type TeamGrant,
} from './decide'
export { selectDeployGrants } from './grants'
export { grantedTable, type ListScope, ownedTotal, ownedWhere, scopeOfOwn, scopeOfOwner } from './list-scope'
export {
  hasMember,
  type OrganizationAccess,
  type OrganizationRef,
  organizationAccess,
  visibleOrganizations,
} from './organization'
export { pushRefusal } from './push'
export { type RepositoryRef, repositoryAccess, repositoryAccesses } from './repository'
export { countRepositories } from './repository-count'
export { type GrantingTeam, isGrantedTo, selectGrantingTeams, visibleRepositories } from './repository-sql'
export { jobSubject, requirePublic, seesOnlyPublic, subjectFor, subjectOf } from './subject'
