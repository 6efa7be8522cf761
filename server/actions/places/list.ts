import type { ServiceCtx } from '@/server/kernel/ctx'
import { githubPage } from '@/server/kernel/pagination'
import type { PlaceFor } from '@/server/places'
import { selectRepositories, viewRepositories } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { selectAccounts } from '@/server/users'
import { countPlaceJobs, selectPlaceJobs, selectTasksOfJobs } from '../job-store'
import { filterOf, statusFilter } from '../list'
import { type ActionsFor, loadActions } from '../load'
import type {
  Job,
  JobList,
  ListPlaceJobsInput,
  ListPlaceRunsInput,
  ListRepoJobsInput,
  RunList,
} from '../schema'
import { countRuns, type RunsOf, selectLatestAttempts, selectRuns, selectRunsById } from '../store'
import { type PlaceOfRun, viewAttempt, viewJob } from '../view'

/**
 * Lists a page of the workflow runs of all repositories of a place, newest first.
 * @throws {DomainError} unprocessable for an unknown status.
 */
export async function listPlaceRuns(
  ctx: ServiceCtx,
  place: PlaceFor,
  input: ListPlaceRunsInput,
): Promise<RunList> {
  const filter = await filterOf(ctx, input)
  if (!filter) return { workflow_runs: [], total_count: 0 }
  const runs = await selectRuns(ctx.db, place, filter, githubPage(input))
  const ids = runs.map(({ id }) => id)
  const attempts = await selectLatestAttempts(ctx.db, ids)
  const actors = runs.flatMap(run => [run.actor_id, attempts.get(run.id)?.actor_id].flatMap(id => id ?? []))
  const people = await selectAccounts(ctx.db, actors)
  const places = await placesOf(ctx, runs)
  const workflow_runs = runs.flatMap(run => {
    const [attempt, found] = [attempts.get(run.id), places.get(run.repository_id)]
    if (!attempt || !found) return []
    return [viewAttempt(ctx, found, { run, attempt }, { people, repository: found.shown })]
  })
  return { workflow_runs, total_count: await countRuns(ctx.db, place, filter) }
}

/**
 * Lists a page of the workflow jobs of all repositories of a place, newest first.
 * @throws {DomainError} unprocessable for an unknown status.
 */
export async function listPlaceJobs(
  ctx: ServiceCtx,
  place: PlaceFor,
  input: ListPlaceJobsInput,
): Promise<JobList> {
  return await jobsOf(ctx, place, input)
}

/**
 * Lists a page of the workflow jobs of a repository, newest first.
 * @throws {DomainError} as `loadActions`, and unprocessable for an unknown status.
 */
export async function listRepoJobs(ctx: ServiceCtx, input: ListRepoJobsInput): Promise<JobList> {
  const { repository }: ActionsFor = await loadActions(ctx, input, 'read')
  return await jobsOf(ctx, { scope: 'repository', repositoryId: repository.id }, input)
}

async function jobsOf(ctx: ServiceCtx, place: RunsOf, input: ListPlaceJobsInput): Promise<JobList> {
  const filter = statusFilter(input.status)
  const jobs = await selectPlaceJobs(ctx.db, place, filter, githubPage(input))
  const ids = jobs.map(({ id }) => id)
  const runs = await selectRunsById(ctx.db, [...new Set(jobs.map(({ run_id }) => run_id))])
  const tasks = await selectTasksOfJobs(ctx.db, ids)
  const places = await placesOf(ctx, jobs)
  const shown = jobs.flatMap((job): Job[] => {
    const [found, run] = [places.get(job.repository_id), runs.get(job.run_id)?.run]
    return found && run ? [viewJob(ctx, found, run, job, tasks.get(job.id))] : []
  })
  return { jobs: shown, total_count: await countPlaceJobs(ctx.db, place, filter) }
}

async function placesOf(
  ctx: ServiceCtx,
  rows: readonly { repository_id: number }[],
): Promise<Map<number, PlaceOfRun & { shown: Repository }>> {
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
