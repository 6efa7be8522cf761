/** Workflow runs, their jobs, and the tokens that jobs authenticate with. */

export { announceRun } from './announce'
export { type Assigned, assignJobs, type Taker } from './assign-jobs'
export { type CalledJob, findCalledJob } from './called-job'
export { selectCalled } from './called-jobs'
export { cancelRunsOfFormerOwners } from './cancel-run'
export { explainGroup } from './explain-group'
export { contextOfRun, githubContext } from './github-context'
export {
  findJob,
  findOpenTask,
  type JobRow,
  jobsSince,
  selectJobsById,
  selectTasksOfJobs,
  type TaskRow,
} from './job-store'
export { listRuns } from './list'
export { type ActionsFor, type ActionsNeed, loadActions, loadJob, loadRun, type RunFor } from './load'
export { appendRows } from './logs/append'
export { getJobLogOrReason, type JobLog, type UnstartedJob } from './logs/get'
export { openLog } from './logs/read'
export { findOpenCall, type OpenCall, openCall, planCall, type ReadWorkflow } from './open-calls'
export { accessLevelOf } from './permissions/store'
export { canWriteActions, isRunnable, requireRunnable, requireUnarchived } from './policy'
export { reportTask, type TaskReport } from './report'
export type { RunPlan } from './run-plan'
export { insertNewRun, oneAtATime, type RunTarget, startRun } from './start-run'
export { findLastOutcome, lockAccounts, type RunSummary, selectRunsById, selectRunsStartedBy } from './store'
export { findNeeds, findRunSource, type Need, type RunSource } from './task-source'
export { endTasksOfRunner, failTask } from './tasks'
export { jobUrls, viewAttempt, viewJob, viewWorkflow } from './view'
export { failCall, retryCall, selectWaitingCalls, type WaitingCall } from './waiting-calls'
export { storable } from './workflow/expressions'
export type { ChangedPaths, Happening } from './workflow/filter'
export type { DispatchInput } from './workflow/inputs'
export { type Asking, askingFor, askingToShow, askThread, isTooMuch } from './workflow/thread/ask'
