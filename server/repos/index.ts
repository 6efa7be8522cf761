/** Repositories: what they are, where their git data lies, and how other rooms find and show them. */
export { getRepository, type RepositoryWithAccess } from './find'
export { viewHome, viewTips } from './home'
export { findRepositoryByName, type RepositoryRow, repositoryColumns } from './store'
export { viewRepositories } from './view'
