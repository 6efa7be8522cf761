/** Blocks: accounts can block people from interacting with them. */
export { blockForOrg, blockUser } from './block'
export { isBlockedBetween, selectBlockedBetween } from './store'
