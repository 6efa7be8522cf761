/** Blocks: who wants nothing to do with whom. */
export { blockForOrg, blockUser } from './block'
export { isBlockedBetween, selectBlockedBetween } from './store'
