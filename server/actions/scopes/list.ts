import type { ServiceCtx } from '@/server/kernel/ctx'
import { githubPage } from '@/server/kernel/pagination'
import { selectRepositories, viewRepositories } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import type { SettingsScopeFor } from '@/server/scopes'
import { selectAccounts } from '@/server/users'
import { countScopeJobs, selectScopeJobs, selectTasksOfJobs } from '../job-store'
import { filterOf, statusFilter } from '../list'
import { type ActionsFor, loadActions } from '../load'
import type {
  Job,
  JobList,
  ListRepoJobsInput,
  ListScopeJobsInput,
  ListScopeRunsInput,
  RunList,
} from '../schema'
import { countRuns, type RunsOf, selectLatestAttempts, selectRuns, selectRunsById } from '../store'
import { type RepositoryOfRun, viewAttempt, viewJob } from '../view'

/**
 * Lists a page of the workflow runs of all repositories of a scope, newest first.
 * @throws {DomainError} unprocessable for an unknown status.
 */
export async function listScopeRuns(
  ctx: ServiceCtx,
  scope: SettingsScopeFor,
  input: ListScopeRunsInput,
): Promise<RunList> {
  const filter = await filterOf(ctx, input)
  if (!filter) return { workflow_runs: [], total_count: 0 }
  const runs = await selectRuns(ctx.db, scope, filter, githubPage(input))
  const ids = runs.map(({ id }) => id)
  const attempts = await selectLatestAttempts(ctx.db, ids)
  const actors = runs.flatMap(run => [run.actor_id, attempts.get(run.id)?.actor_id].flatMap(id => id ?? []))
  const people = await selectAccounts(ctx.db, actors)
  const repositories = await repositoriesOf(ctx, runs)
  const workflow_runs = runs.flatMap(run => {
    const [attempt, found] = [attempts.get(run.id), repositories.get(run.repository_id)]
    if (!attempt || !found) return []
    return [viewAttempt(ctx, found, { run, attempt }, { people, repository: found.shown })]
  })
  return { workflow_runs, total_count: await countRuns(ctx.db, scope, filter) }
}

/**
 * Lists a page of the workflow jobs of all repositories of a scope, newest first.
 * @throws {DomainError} unprocessable for an unknown status.
 */
export async function listScopeJobs(
  ctx: ServiceCtx,
  scope: SettingsScopeFor,
  input: ListScopeJobsInput,
): Promise<JobList> {
  return await jobsOf(ctx, scope, input)
}

/**
 * Lists a page of a repository's workflow jobs, newest first.
 * @throws {DomainError} as `loadActions`, and unprocessable for an unknown status.
 */
export async function listRepoJobs(ctx: ServiceCtx, input: ListRepoJobsInput): Promise<JobList> {
  const { repository }: ActionsFor = await loadActions(ctx, input, 'read')
  return await jobsOf(ctx, { kind: 'repository', repositoryId: repository.id }, input)
}

async function jobsOf(ctx: ServiceCtx, scope: RunsOf, input: ListScopeJobsInput): Promise<JobList> {
  const filter = statusFilter(input.status)
  const jobs = await selectScopeJobs(ctx.db, scope, filter, githubPage(input))
  const ids = jobs.map(({ id }) => id)
  const runs = await selectRunsById(ctx.db, [...new Set(jobs.map(({ run_id }) => run_id))])
  const tasks = await selectTasksOfJobs(ctx.db, ids)
  const repositories = await repositoriesOf(ctx, jobs)
  const shown = jobs.flatMap((job): Job[] => {
    const [found, run] = [repositories.get(job.repository_id), runs.get(job.run_id)?.run]
    return found && run ? [viewJob(ctx, found, run, job, tasks.get(job.id))] : []
  })
  return { jobs: shown, total_count: await countScopeJobs(ctx.db, scope, filter) }
}

async function repositoriesOf(
  ctx: ServiceCtx,
  rows: readonly { repository_id: number }[],
): Promise<Map<number, RepositoryOfRun & { shown: Repository }>> {
  const repositories = await selectRepositories(ctx.db, [
    ...new Set(rows.map(({ repository_id }) => repository_id)),
  ])
  const all = [...repositories.values()]
  const owners = await selectAccounts(
    ctx.db,
    all.map(({ owner_id }) => owner_id),
  )
  const shown = new Map((await viewRepositories(ctx, all)).map(each => [each.id, each]))
  return new Map(
    all.flatMap(repository => {
      const [owner, view] = [owners.get(repository.owner_id), shown.get(repository.id)]
      return owner && view ? [[repository.id, { repository, owner, shown: view }] as const] : []
    }),
  )
}
