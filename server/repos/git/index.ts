/** The git data of repositories: bare repositories on the disk, their branches and tags, and what is pushed to them. */
export type { FirstCommit } from './first-commit'
export { hooksFolder, newStorageKey, repositoryPath } from './folders'
export { followDefaultBranch } from './head'
export type { PushedCommit } from './history'
export { dropIntent as keepBareRepository } from './intent'
export { makeBareRepository } from './make'
export { type OpenedRepository, openForFetch, openForPush, type RepositoryNames } from './open'
export { answerPushHook, installPushHooks, pushVariable } from './push-hooks'
export { beginPush, readOutcome } from './push-note'
export { recoverPushes } from './recover'
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
export { settlePush } from './settle-push'
export { countPackedObjects, sizeKib } from './size'
export { sweepRepositories } from './sweep'
export { type BranchTip, newestBranches, tipOf } from './tips'
