/** Workflow runs, their jobs, and the tokens that jobs authenticate with. */

export { announceRun } from './announce'
export { authenticateJob } from './job-token'
export { type ActionsFor, type ActionsNeed, loadActions, loadRun, type RunFor } from './load'
export { getJobLog, type JobLog } from './logs/get'
export { openLog } from './logs/read'
export { canWriteActions } from './policy'
