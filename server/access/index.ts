export { type Allowed, allow } from './allowed'
export {
  decideRepositoryAccess,
  maySeeRepository,
  type RepositoryAccess,
  type RepositoryFacts,
  type Subject,
  type TeamGrant,
} from './decide'
export { type OrganizationAccess, organizationAccess } from './organization'
export { repositoryAccess, repositoryAccesses } from './repository'
export { subjectFor, subjectOf } from './subject'
