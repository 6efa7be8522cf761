/** Releases of repositories: what was published, from which tag, with which files. */

export { findRelease } from './store'
export { viewRelease } from './view'
