/** Repositories: what they are, where their git data lies, and how other rooms find and show them. */

export { viewHome, viewTips } from './home'
export { getRepository, type RepositoryWithAccess } from './load'
export { type OpenedRepository, openForFetch, openForPush, type RepositoryNames } from './open'
export { findRepositoryByName, type RepositoryRow, repositoryColumns } from './store'
export { viewRepositories } from './view'
