/** The git data of repositories: bare repositories on the disk, with their branches and tags. */

export { makeBareRepository } from './create'
export type { FirstCommit } from './first-commit'
export { followDefaultBranch } from './head'
export { dropIntent as keepBareRepository } from './intent'
export { type OpenedRepository, openForFetch, openForPush, type RepositoryNames } from './open'
export { hooksFolder, newStorageKey, repositoryPath } from './paths'
export {
  countRefs,
  findRef,
  listRefNames,
  listRefs,
  type RefInfo,
  type RefKind,
  type RefsWanted,
} from './refs'
export { intendRemoval, removeBareRepository } from './remove'
export { countPackedObjects, sizeKib } from './size'
export { sweepRepositories } from './sweep'
export { type BranchTip, newestBranches, tipOf } from './tips'
