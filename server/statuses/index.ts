/** Statuses of commits: what CI systems and the site's own runs report about them, and their combination. */
export { recordStatuses } from './record'
export { findStatus } from './store'
export { targetUrlOf } from './view'
