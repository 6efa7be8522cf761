/**
 * SSH keys of people and, in `deploy/`, of repositories: validation, ownership, and who can see or delete a key.
 * Certificate principals are in the same table; nothing here writes them.
 */
export { listAuthorizedKeys } from './authorized-keys'
export { removeAllKeys } from './remove'
export { findSignInKey, recordKeyUse, type SignInKey } from './sign-in'
export { readStoredKey } from './ssh/parse'
export { signatureAlgorithms } from './ssh/verify'
export { findKey } from './store'
export { viewKey } from './view'
