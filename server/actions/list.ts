import { findAccountByName } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted, unprocessable } from '@/server/kernel/errors'
import { githubPage, offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { selectJobs } from './job-store'
import { loadActions, loadRun, type RunFor } from './load'
import {
  type JobList,
  type ListAttemptJobsInput,
  type ListJobsInput,
  type ListRunsInput,
  type ListScopeRunsInput,
  type RunList,
  runConclusions,
  runStatuses,
} from './schema'
import { countRuns, findAttempt, type RunFilter, selectRuns } from './store'
import { viewJobs, viewRuns } from './view'

/**
 * Lists a page of a repository's workflow runs, newest first; only those of some workflows if it has their paths.
 * @throws {DomainError} notFound, moved after a rename, forbidden without access to actions; unprocessable
 * for an unknown status.
 */
export async function listRuns(
  ctx: ServiceCtx,
  input: ListRunsInput & Pick<RunFilter, 'workflows'>,
): Promise<RunList> {
  const found = await loadActions(ctx, input, 'read')
  const asked = await filterOf(ctx, input)
  if (!asked) return { workflow_runs: [], total_count: 0 }
  const filter = { ...asked, workflows: input.workflows }
  const { id, run_count: all } = found.repository
  const scope = { kind: 'repository', repositoryId: id } as const
  const runs = await selectRuns(ctx.db, scope, filter, githubPage(input))
  const isFiltered = Object.values(filter).some(value => value !== undefined)
  const total = isFiltered ? await countRuns(ctx.db, scope, filter) : all
  return { workflow_runs: await viewRuns(ctx, found, runs), total_count: total }
}

/**
 * Lists a page of the jobs of a run's latest attempt, in workflow order.
 * @throws {DomainError} as `loadRun`.
 */
export async function listJobs(ctx: ServiceCtx, input: ListJobsInput): Promise<JobList> {
  const found = await loadRun(ctx, input, 'read')
  return await jobsOf(ctx, found, found.run.attempt, githubPage(input))
}

/**
 * Lists a page of the jobs of one attempt of a run, including jobs of earlier attempts that it did not rerun.
 * @throws {DomainError} as `loadRun`, and notFound for the attempt.
 */
export async function listAttemptJobs(ctx: ServiceCtx, input: ListAttemptJobsInput): Promise<JobList> {
  const found = await loadRun(ctx, input, 'read')
  if (!(await findAttempt(ctx.db, found.run.id, input.attempt))) throw deleted('run')
  return await jobsOf(ctx, found, input.attempt, githubPage(input))
}

async function jobsOf(ctx: ServiceCtx, found: RunFor, attempt: number, page: PageRequest): Promise<JobList> {
  // As on GitHub, the jobs of a reusable workflow are listed instead of the job that called it.
  const all = await selectJobs(ctx.db, found.run.id, attempt)
  const jobs = all.filter(({ called_id }) => called_id === null)
  const shown = jobs.slice(offsetOf(page), offsetOf(page) + page.limit)
  return { jobs: await viewJobs(ctx, found, found.run, shown), total_count: jobs.length }
}

/**
 * Converts query parameters to a filter for runs; undefined if nothing can match.
 * @throws {DomainError} unprocessable for an unknown status.
 */
export async function filterOf(ctx: ServiceCtx, input: ListScopeRunsInput): Promise<RunFilter | undefined> {
  const { event, branch, status, actor, head_sha } = input
  const account = actor ? await findAccountByName(ctx.db, actor) : undefined
  if (actor && !account) return undefined
  return {
    ...statusFilter(status),
    event: event || undefined,
    refs: branch ? [branch, `refs/heads/${branch}`, `refs/tags/${branch}`] : undefined,
    actorId: account?.id,
    sha: head_sha || undefined,
  }
}

/**
 * Converts a status or conclusion from a query to a filter.
 * @throws {DomainError} unprocessable for an unknown status.
 */
export function statusFilter(word: string | undefined): Pick<RunFilter, 'statuses' | 'conclusion'> {
  if (!word) return {}
  if (word === 'pending') return { statuses: ['queued', 'waiting'] }
  const status = runStatuses.find(each => each === word)
  if (status) return { statuses: [status] }
  const conclusion = runConclusions.find(each => each === word)
  if (conclusion) return { conclusion }
  const known = ['pending', ...runStatuses, ...runConclusions].join(', ')
  throw unprocessable(`The status is invalid. Use one of: ${known}.`, { field: 'status' })
}
