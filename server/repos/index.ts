/** Repositories: what they are, where their git data lies, and how other rooms find and show them. */
export { getRepository, type RepositoryWithAccess } from './find'
export { type GivingTeam, selectGivingTeams } from './giving-teams'
export { findRepositoryByName, type RepositoryRow, repositoryColumns } from './store'
export { viewRepositories } from './view'
export { visibleRepositories } from './visible'
