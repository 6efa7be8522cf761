/** Stores the Git data of repositories: bare repositories on disk, with their branches and tags. */

export { type BranchTip, firstLine, splitMessage, tipOf } from './branch-tip'
export { type FirstCommit, makeBareRepository } from './create'
export { followDefaultBranch } from './head'
export { dropIntent, noteIntent } from './intent'
export {
  hooksFolder,
  makingPath,
  newStorageKey,
  pushesFolder,
  repositoryPath,
  trashFolder,
} from './paths'
export {
  countRefs,
  findRef,
  findRefs,
  listRefNames,
  listRefs,
  type RefInfo,
  type RefKind,
  type RefsWanted,
} from './refs'
export { removeBareRepository } from './remove'
export { countPackedObjects, packsOf, sizeKib } from './size'
