import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { requireNeed, writeCode } from '@/server/repos'
import type { JobFor, TaskFor } from './load'
import { tokenScopesOf } from './permissions/of-job'
import type { FinishTaskOption, StartedTask, Task } from './schema'
import { finishTask, startTask } from './tasks'

/**
 * Starts a job that the caller runs without a runner. Returns the job's token, which is not shown again, and
 * the environment variables that artifact clients read.
 * @throws {DomainError} forbidden without write access to code, or to releases that the token can write;
 * otherwise as `startTask`.
 */
export async function startTaskForCaller(ctx: UserCtx, found: JobFor<'write'>): Promise<StartedTask> {
  // The job's token grants read access to the code and the releases.
  requireNeed(found, writeCode)
  // It acts for the person who caused the run, who can have more access than the caller.
  const scopes = await tokenScopesOf(ctx, found, found.job)
  if (scopes?.some(({ scope, access }) => scope === 'contents' && access === 'write')) {
    requireNeed(found, { unit: 'repo.releases', mode: 'write' })
  }
  const { task, token } = await startTask(ctx, found)
  const { repository, owner, run } = found
  return {
    id: task.id,
    job_id: task.job_id,
    run_id: run.id,
    token,
    expires_at: wireTime(task.expires_at),
    environment: {
      ACTIONS_RUNTIME_TOKEN: token,
      ACTIONS_RESULTS_URL: ctx.config.artifactBaseUrl ?? ctx.config.baseUrl,
      GITHUB_RUN_ID: String(run.id),
      GITHUB_REPOSITORY: `${owner.name}/${repository.name}`,
      GITHUB_RETENTION_DAYS: String(ctx.config.artifactRetentionDays),
    },
  }
}

/**
 * Finishes a task with the conclusion of its job.
 * @throws {DomainError} as `finishTask`.
 */
export async function finishTaskForCaller(
  ctx: UserCtx,
  found: TaskFor<'write'>,
  { conclusion }: FinishTaskOption,
): Promise<Task> {
  const task = await finishTask(ctx, found, conclusion)
  return {
    id: task.id,
    job_id: task.job_id,
    run_id: task.run_id,
    status: task.status,
    conclusion,
    expires_at: wireTime(task.expires_at),
  }
}
