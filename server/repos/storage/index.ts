/** Stores the Git data of repositories: bare repositories on disk, with their branches and tags. */

export { type FirstCommit, makeBareRepository } from './create'
export { followDefaultBranch } from './head'
export { dropIntent, noteIntent } from './intent'
export { type BranchTip, firstLine, newestBranches, tipOf } from './newest-branches'
export { hooksFolder, makingPath, newStorageKey, pushesFolder, repositoryPath } from './paths'
export {
  countRefs,
  findCommit,
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
