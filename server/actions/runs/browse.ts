import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { workflowFolders } from '@/server/repos'
import { selectAccounts } from '@/server/users'
import { groupsOf, lostGroupOf } from '../explain-group'
import { selectJobs } from '../job-store'
import { loadActions, loadRun } from '../load'
import { canWriteActions } from '../policy'
import type { RunPath } from '../schema'
import { countRuns, type RunFilter, selectRuns } from '../store'
import type { BrowsedRuns, BrowseRunsInput, RunPageAnswer, ShowRunInput } from './schema'
import { findDocument, findFollowedRun, selectAttempts, selectRunFilters } from './store'
import { type Actors, viewShownAttempt, viewShownJobs, viewShownRun } from './view'

const branch = 'refs/heads/'

/**
 * Lists a page of a repository's runs, newest first, with the branches, events and workflows to filter by.
 * @throws {DomainError} notFound, moved after a rename, forbidden without access to actions.
 */
export async function browseRuns(ctx: ServiceCtx, input: BrowseRunsInput): Promise<BrowsedRuns> {
  const found = await loadActions(ctx, input, 'read')
  const { id } = found.repository
  const { page, limit } = input
  const [scope, filter] = [{ kind: 'repository', repositoryId: id } as const, filterOf(input)]
  const [runs, total, filters] = await Promise.all([
    selectRuns(ctx.db, scope, filter, input),
    countRuns(ctx.db, scope, filter),
    selectRunFilters(ctx.db, id),
  ])
  const actors = await actorsOf(ctx, runs)
  return {
    items: runs.map(run => viewShownRun(run, actors)),
    total,
    page,
    limit,
    branches: filters.refs.flatMap(ref => (ref.startsWith(branch) ? ref.slice(branch.length) : [])),
    events: filters.events,
    workflows: [...new Set(filters.workflows.map(path => path.slice(path.lastIndexOf('/') + 1)))].sort(),
    may_write: canWriteActions(found),
  }
}

const filterOf = ({ state, branch: name, event, workflow }: BrowseRunsInput): RunFilter => ({
  event: event || undefined,
  refs: name ? [branch + name] : undefined,
  workflows: workflow ? workflowFolders.map(folder => `${folder}/${workflow}`) : undefined,
  ...(state === 'active'
    ? { statuses: ['queued', 'waiting', 'in_progress'] }
    : { conclusion: state === 'all' ? undefined : state }),
})

/**
 * Returns a run with the jobs of one of its attempts.
 * @throws {DomainError} as `browseRuns`, and notFound if there is no such run or attempt.
 */
export async function showRunPage(ctx: ServiceCtx, input: ShowRunInput): Promise<RunPageAnswer> {
  const found = await loadRun(ctx, input, 'read')
  const { run } = found
  const number = input.attempt ?? run.attempt
  const [attempts, jobs, followed] = await Promise.all([
    selectAttempts(ctx.db, run.id),
    selectJobs(ctx.db, run.id, number),
    findFollowedRun(ctx.db, run),
  ])
  const attempt = attempts.find(one => one.number === number)
  if (!attempt) throw deleted('run')
  const actors = await actorsOf(ctx, [run, ...attempts])
  return {
    run: viewShownRun(run, actors),
    followed: followed ?? null,
    attempt: viewShownAttempt(attempt, actors),
    attempts: attempts.map(one => viewShownAttempt(one, actors)),
    jobs: viewShownJobs(jobs),
    lost_group: attempt.status === 'completed' ? await lostGroupOf(ctx.db, run, jobs) : null,
    groups: run.uses_groups && run.status !== 'completed' ? await groupsOf(ctx.db, run.id) : [],
    may_write: canWriteActions(found),
  }
}

export const actorsOf = ({ db }: ServiceCtx, rows: readonly { actor_id: number | null }[]): Promise<Actors> =>
  selectAccounts(
    db,
    rows.flatMap(({ actor_id }) => actor_id ?? []),
  )

/**
 * Returns the workflow as it was when the run was created.
 * @throws {DomainError} as `showRunPage`.
 */
export async function showDocument(ctx: ServiceCtx, path: RunPath): Promise<{ document: string }> {
  const found = await loadRun(ctx, path, 'read')
  const document = await findDocument(ctx.db, found.run.id)
  if (!document) throw deleted('run')
  return document
}
