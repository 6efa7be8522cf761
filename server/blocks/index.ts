/** Blocks: who wants nothing to do with whom. */
export { isBlockedBetween } from './store'
