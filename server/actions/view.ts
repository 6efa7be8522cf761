import type { StoredStep } from '@/db/tables/workflow-jobs'
import type { Account } from '@/server/kernel/account'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { shortRef } from '@/server/kernel/git/ref-names'
import { neverTime, wireTime } from '@/server/kernel/wire'
import { type RepositoryWithAccess, viewRepository } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { selectAccounts, viewGhost, viewUserForOthers } from '@/server/users'
import { endTextOf } from './end-text'
import { type JobRow, selectTasksOfJobs, type TaskRow } from './job-store'
import type { Job, Run, WorkflowEntry } from './schema'
import { type AttemptRow, type RunRow, selectLatestAttempts } from './store'
import { hasUnknownLabels } from './workflow/resolve-job'

/** Converts a run to its wire shape as of its latest attempt. */
export async function viewRun(ctx: ServiceCtx, found: RepositoryWithAccess, run: RunRow): Promise<Run> {
  const [shown] = await viewRuns(ctx, found, [run])
  return shown as Run
}

/** Converts runs of one repository to their wire shape, with two queries in total. */
export async function viewRuns(
  ctx: ServiceCtx,
  found: RepositoryWithAccess,
  runs: readonly RunRow[],
): Promise<Run[]> {
  const ids = runs.map(({ id }) => id)
  const attempts = await selectLatestAttempts(ctx.db, ids)
  const known = runs.flatMap(run => {
    const attempt = attempts.get(run.id)
    return attempt ? [{ run, attempt }] : []
  })
  return await viewAttempts(ctx, found, known)
}

/** Converts attempts of a repository's runs to the wire shape of runs, each as it was in that attempt. */
export async function viewAttempts(
  ctx: ServiceCtx,
  found: RepositoryWithAccess,
  attempts: readonly { run: RunRow; attempt: AttemptRow }[],
): Promise<Run[]> {
  const people = await selectAccounts(
    ctx.db,
    attempts.flatMap(({ run, attempt }) => [run.actor_id, attempt.actor_id].flatMap(id => id ?? [])),
  )
  const known = { people, repository: viewRepository(ctx, found) }
  return attempts.map(each => viewAttempt(ctx, found, each, known))
}

interface Known {
  people: ReadonlyMap<number, Account>
  repository: Repository
}

/** Converts a run to its wire shape as it was in one of its attempts. */
export function viewAttempt(
  ctx: Config,
  location: RepositoryOfRun,
  { run, attempt }: { run: RunRow; attempt: AttemptRow },
  { people, repository }: Known,
): Run {
  // Viewed as an anonymous reader, so that a run never reveals an email address.
  const open = { config: ctx.config, caller: anonymous }
  const viewActor = (id: number | null) => {
    const account = id === null ? undefined : people.get(id)
    return account ? viewUserForOthers(open, account) : viewGhost(open)
  }
  const url = apiUrl(ctx, location, run)
  return {
    id: run.id,
    url,
    previous_attempt_url: attempt.number > 1 ? `${url}/attempts/${attempt.number - 1}` : null,
    html_url: pageUrl(ctx, location, run),
    display_title: run.title,
    path: `${run.workflow_path}@${run.ref}`,
    event: run.event,
    run_attempt: attempt.number,
    run_number: run.number,
    repository_id: run.repository_id,
    ...viewHead(run),
    ...viewProgress(attempt),
    actor: viewActor(run.actor_id),
    trigger_actor: viewActor(attempt.actor_id),
    repository,
    pull_requests: null,
    ...(run.error && { error: run.error }),
    ...(run.warnings.length > 0 && { warnings: run.warnings }),
    created_at: wireTime(attempt.created_at),
  }
}

/** Converts jobs of a run to their wire shape, with one query in total. */
export async function viewJobs(
  ctx: ServiceCtx,
  location: RepositoryOfRun,
  run: RunRow,
  jobs: readonly JobRow[],
): Promise<Job[]> {
  const ids = jobs.map(({ id }) => id)
  const tasks = await selectTasksOfJobs(ctx.db, ids)
  return jobs.map(job => viewJob(ctx, location, run, job, tasks.get(job.id)))
}

/** Converts a job to its wire shape, with its latest task. */
export function viewJob(
  ctx: Config,
  location: RepositoryOfRun,
  run: RunRow,
  job: JobRow,
  task: TaskRow | undefined,
): Job {
  const message = endTextOf(job)
  return {
    id: job.id,
    ...jobUrls(ctx, location, { id: job.id, run_id: run.id }),
    run_id: run.id,
    run_url: apiUrl(ctx, location, run),
    name: job.name,
    labels: hasUnknownLabels(job) ? [] : job.labels,
    needs: job.needs,
    run_attempt: job.attempt,
    ...viewHead(run),
    ...viewProgress(job),
    ...(message !== undefined && { message }),
    ...(task?.runner_id && { runner_id: task.runner_id }),
    runner_name: task?.runner_name ?? '',
    steps: (task?.steps ?? []).map(viewStep),
    ...(job.permissions && { permissions: { ...job.permissions.scopes } }),
    created_at: wireTime(job.created_at),
  }
}

function viewStep(
  { name, started_at, completed_at, ...step }: StoredStep,
  index: number,
): Job['steps'][number] {
  const date = (time: string | null) => (time === null ? null : new Date(time))
  const progress = viewProgress({ ...step, started_at: date(started_at), completed_at: date(completed_at) })
  return { name, number: index + 1, ...progress }
}

/** Converts a workflow file to its wire shape. */
export function viewWorkflow(
  ctx: Config,
  location: RepositoryOfRun,
  { path, name, isDisabled = false }: { path: string; name: string; isDisabled?: boolean },
): WorkflowEntry {
  const { repository, owner } = location
  const file = path.slice(path.lastIndexOf('/') + 1)
  const page = `${ctx.config.baseUrl}/${owner.name}/${repository.name}`
  const time = wireTime(repository.pushed_at ?? repository.created_at)
  return {
    id: file,
    name,
    path,
    state: isDisabled ? 'disabled_manually' : 'active',
    created_at: time,
    updated_at: time,
    url: `${baseOf(ctx, location)}/actions/workflows/${encodeURIComponent(file)}`,
    html_url: `${page}/actions`,
    badge_url: `${page}/actions/workflows/${encodeURIComponent(file)}/badge.svg`,
  }
}

type Config = Pick<ServiceCtx, 'config'>
export type RepositoryOfRun = Pick<RepositoryWithAccess, 'repository' | 'owner'>

/** Returns the commit of a run, and the short name of its branch or tag if it has one. */
export const viewHead = ({ sha, ref }: RunRow): { head_sha: string; head_branch?: string } => ({
  head_sha: sha,
  ...(ref && { head_branch: shortRef(ref) }),
})

const viewProgress = ({
  status,
  conclusion,
  started_at,
  completed_at,
}: Pick<AttemptRow, 'status' | 'conclusion' | 'started_at' | 'completed_at'>) => ({
  status,
  ...(conclusion && { conclusion }),
  started_at: started_at ? wireTime(started_at) : neverTime,
  completed_at: completed_at ? wireTime(completed_at) : neverTime,
})

interface NamedRepository {
  owner: { name: string }
  repository: { name: string }
}

const baseOf = ({ config }: Config, { owner, repository }: NamedRepository): string =>
  `${config.baseUrl}/api/v1/repos/${owner.name}/${repository.name}`

/** Returns the URLs of a job in the API and on the site. */
export function jobUrls(
  ctx: Config,
  location: NamedRepository,
  { id, run_id }: { id: number; run_id: number },
): { url: string; html_url: string } {
  return {
    url: `${baseOf(ctx, location)}/actions/jobs/${id}`,
    html_url: `${pageUrl(ctx, location, { id: run_id })}/jobs/${id}`,
  }
}

const apiUrl = (ctx: Config, location: RepositoryOfRun, { id }: RunRow): string =>
  `${baseOf(ctx, location)}/actions/runs/${id}`

/** Returns the URL of a run's page. */
export const pageUrl = (
  { config }: Config,
  { owner, repository }: NamedRepository,
  { id }: Pick<RunRow, 'id'>,
): string => `${config.baseUrl}/${owner.name}/${repository.name}/actions/runs/${id}`
