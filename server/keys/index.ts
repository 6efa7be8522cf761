/**
 * SSH keys of people: what they may look like, who holds which, and who may see or drop one.
 * Deploy keys and certificate principals share the table; their own rooms write them.
 */
export { listAuthorizedKeys } from './authorized-keys'
export { findKey } from './store'
export { viewKey } from './view'
