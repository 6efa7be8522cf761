/**
 * SSH keys of people and, in `deploy/`, of repositories: what they may look like, who holds which, and who may see or drop
 * one. Certificate principals share the table; nothing here writes them.
 */
export { listAuthorizedKeys } from './authorized-keys'
export { removeAllKeys } from './remove'
export { findSignInKey, recordKeyUse, type SignInKey } from './sign-in'
export { readStoredKey } from './ssh/parse'
export { signatureAlgorithms } from './ssh/verify'
export { findKey } from './store'
export { viewKey } from './view'
