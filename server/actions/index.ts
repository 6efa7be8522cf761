/** Workflow runs, their jobs, and the tokens that jobs authenticate with. */

export { announceRun } from './announce'
export { contextsOf } from './condition'
export { githubContext } from './github-context'
export { authenticateJob } from './job-token'
export { type ActionsFor, type ActionsNeed, loadActions, loadRun, type RunFor } from './load'
export { getJobLog, type JobLog } from './logs/get'
export { openLog } from './logs/read'
export { canWriteActions } from './policy'
export { insertReadyRun, inTurn, type ReadyRun, readyRun } from './start-run'
export { lockAccounts } from './store'
export { planWorkflow } from './workflow/plan'
export { type EventsConfig, namedEvents, readWorkflow, type Workflow } from './workflow/read'
