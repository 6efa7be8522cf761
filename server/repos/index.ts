/** Repositories: what they are, where their git data lies, and how other rooms find and show them. */
export { getRepository, getRepositoryById, type SeenRepository, seeRepository } from './find'
export { mayAdminister } from './policy'
export { findRepositoryByName, type RepositoryRow, repositoryColumns } from './store'
export { viewRepositories, viewRepository } from './view'
export { visibleRepositories } from './visible'
