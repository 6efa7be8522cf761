/** Repositories: how other modules find, show, open and delete them, and check access to them. */

export { archiveUrls } from './archives'
export { requireSignInIfExpensive } from './expensive'
export { unlessUnreadable, viewHome } from './home'
export {
  getRepository,
  loadRepository,
  loadRepositoryById,
  type RepositoryFor,
  type RepositoryWithAccess,
} from './load'
export { type NotedReads, noteReads, repositoriesIn } from './noted-reads'
export { type OpenedRepository, openForFetch, openForPush, type RepositoryNames } from './open'
export { administration, mayReadActions, mayReadCode, readCode, requireNeed, writeCode } from './policy'
export { checkBranchName } from './refs/branches'
export { changeRefs, type RefChange, refMoved } from './refs/change'
export { type EnsuredTag, ensureTag } from './refs/ensure-tag'
export { type FormerBranch, findFormerBranch } from './refs/former-branch'
export { inRefQueue } from './refs/ref-queue'
export { checkTagName } from './refs/tag-name'
export { viewVerification } from './refs/view'
export { removeRepositories } from './remove'
export { readSettings } from './settings'
export { signatureOf } from './signature'
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
