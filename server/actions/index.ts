/** Workflow runs, their jobs, and the tokens that jobs authenticate with. */

export { announceRun } from './announce'
export { authenticateJob } from './job-token'
export { loadActions, loadRun } from './load'
