/** Repositories: how other modules find, show, open and delete them, and check access to them. */

export { type Archive, archiveUrls, findArchive } from './archives'
export { viewHome, viewTips } from './home'
export {
  getRepository,
  loadRepository,
  loadRepositoryById,
  type RepositoryFor,
  type RepositoryWithAccess,
} from './load'
export { type OpenedRepository, openForFetch, openForPush, type RepositoryNames } from './open'
export { administration, mayReadActions, requireNeed, writeCode } from './policy'
export { type EnsuredTag, ensureTag } from './refs/ensure-tag'
export { inRefQueue } from './refs/ref-queue'
export { checkTagName } from './refs/tag-name'
export { removeRepositories } from './remove'
export { readSettings } from './settings'
export {
  findRenamedRepository,
  findRepositoryById,
  findRepositoryByName,
  isStillOwned,
  lockRepository,
  type RepositoryRow,
  repositoryColumns,
  selectRepositories,
} from './store'
export { asOwner, viewRepositories, viewRepository, viewRepositoryAs } from './view'
export { workflowFolders } from './workflow-folders'
