import type { JobCaller } from '@/server/kernel/caller'
import { everyJobScope } from '@/server/kernel/job-permissions'

/** Returns a job as a caller, without permissions and without a person whose access limits it. */
export const jobCaller = (change: Partial<JobCaller> = {}): JobCaller => ({
  kind: 'job',
  repositoryId: 1,
  runId: 1,
  attempt: 1,
  jobId: 1,
  taskId: 1,
  run: { number: 1, workflow: 'CI' },
  permissions: everyJobScope('none'),
  actor: null,
  ...change,
})
