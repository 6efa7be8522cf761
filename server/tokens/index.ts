/**
 * Access tokens: what programs sign in with. Those that stopped working are swept away after a while.
 */
export { sweepExpiredTokens } from './sweep'
