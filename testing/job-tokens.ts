import { addRunningJob, makeRunningJob } from '@/db/testing/factories'
import { issueJobToken } from '@/server/auth/credentials/job-token'
import type { JobAccess } from '@/server/kernel/job-permissions'
import type { Site } from './site'

interface Options {
  /** What the workflow requests for the job's token; by default, it requests nothing. */
  permissions?: Record<string, JobAccess>
  /** The person who caused the run. */
  actor?: { id: number } | null
  event?: string
}

/** A running job of a new run with its token. */
export interface JobWithToken {
  token: string
  run_id: number
  job_id: number
  task_id: number
}

/** Starts a job in a repository and returns its token. */
export async function makeJobToken(
  site: Site,
  repository: { id: number },
  { permissions, actor = null, event = 'push' }: Options = {},
): Promise<JobWithToken> {
  const { run_id, repository_id } = await makeRunningJob(site.db, repository.id)
  await site.db
    .updateTable('workflow_runs')
    .set({ actor_id: actor?.id ?? null, event, workflow_name: 'CI' })
    .where('id', '=', run_id)
    .execute()
  const stored = permissions && { permissions: JSON.stringify({ scopes: permissions }) }
  const { job_id, task_id } = await addRunningJob(site.db, { run_id, repository_id }, stored)
  const task = await site.db
    .selectFrom('workflow_tasks')
    .select(['id', 'run_id', 'job_id', 'started_at', 'expires_at'])
    .where('id', '=', task_id)
    .executeTakeFirstOrThrow()
  return { token: await issueJobToken(site.services.config, task), run_id, job_id, task_id }
}
