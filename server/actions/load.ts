import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadRepository, type RepositoryWithAccess } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { findJob, findTask, type JobRow, type TaskRow } from './job-store'
import type { JobPath, RunPath, TaskPath } from './schema'
import { findRun, type RunRow } from './store'

export type ActionsNeed = 'read' | 'write'

/** Repository whose workflow runs the caller may read or write. */
export type ActionsFor<Need extends ActionsNeed = ActionsNeed> = Allowed<RepositoryWithAccess, Need>

/** Run that the caller may read or write, with its repository. */
export type RunFor<Need extends ActionsNeed = ActionsNeed> = ActionsFor<Need> & { run: RunRow }

/** Job that the caller may read or write, with its run and repository. */
export type JobFor<Need extends ActionsNeed = ActionsNeed> = RunFor<Need> & { job: JobRow }

/** Task that the caller may read or write, with its job, run and repository. */
export type TaskFor<Need extends ActionsNeed = ActionsNeed> = JobFor<Need> & { task: TaskRow }

/**
 * Loads a repository if the caller has the requested access to its workflow runs.
 * @throws {DomainError} notFound, moved after a rename, forbidden without the permission.
 */
export async function loadActions<const Need extends ActionsNeed>(
  ctx: ServiceCtx,
  path: RepoPath,
  need: Need,
): Promise<ActionsFor<Need>> {
  return allow(await loadRepository(ctx, path, { unit: 'repo.actions', mode: need }))
}

/**
 * Loads a run by ID if the caller has the requested access to its repository's workflow runs.
 * @throws {DomainError} as `loadActions`, and notFound if the run is not in this repository.
 */
export async function loadRun<const Need extends ActionsNeed>(
  ctx: ServiceCtx,
  path: RunPath,
  need: Need,
): Promise<RunFor<Need>> {
  return await withRun(ctx, await loadActions(ctx, path, need), path.run)
}

/**
 * Loads a job by ID if the caller has the requested access to its repository's workflow runs.
 * @throws {DomainError} as `loadActions`, and notFound if the job is not in this repository.
 */
export async function loadJob<const Need extends ActionsNeed>(
  ctx: ServiceCtx,
  path: JobPath,
  need: Need,
): Promise<JobFor<Need>> {
  return await withJob(ctx, await loadActions(ctx, path, need), path.job_id)
}

/**
 * Loads a task by ID if the caller has the requested access to its repository's workflow runs.
 * @throws {DomainError} as `loadActions`, and notFound if the task is not in this repository.
 */
export async function loadTask<const Need extends ActionsNeed>(
  ctx: ServiceCtx,
  path: TaskPath,
  need: Need,
): Promise<TaskFor<Need>> {
  const found = await loadActions(ctx, path, need)
  const task = await findTask(ctx.db, found.repository.id, path.task_id)
  if (!task) throw deleted('job')
  return { ...(await withJob(ctx, found, task.job_id)), task }
}

async function withJob<Need extends ActionsNeed>(
  ctx: ServiceCtx,
  found: ActionsFor<Need>,
  id: number,
): Promise<JobFor<Need>> {
  const job = await findJob(ctx.db, found.repository.id, id)
  if (!job) throw deleted('job')
  return { ...(await withRun(ctx, found, job.run_id)), job }
}

async function withRun<Need extends ActionsNeed>(
  ctx: ServiceCtx,
  found: ActionsFor<Need>,
  id: number,
): Promise<RunFor<Need>> {
  const run = await findRun(ctx.db, found.repository.id, id)
  if (!run) throw deleted('run')
  return { ...found, run }
}
