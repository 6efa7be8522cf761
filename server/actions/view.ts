import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { neverTime, wireTime } from '@/server/kernel/wire'
import { type RepositoryWithAccess, viewRepository } from '@/server/repos'
import { selectAccounts, viewGhost, viewUserForOthers } from '@/server/users'
import type { JobRow } from './job-store'
import type { Job, Run } from './schema'
import { type AttemptRow, type RunRow, selectLatestAttempts } from './store'

/** Converts a run to its wire shape, as of its latest attempt. */
export async function viewRun(ctx: ServiceCtx, found: RepositoryWithAccess, run: RunRow): Promise<Run> {
  const [shown] = await viewRuns(ctx, found, [run])
  return shown as Run
}

/** Converts runs of one repository to their wire shape, with two queries for all of them. */
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

/** Converts attempts of runs of one repository to their wire shape: that of the run, as it was in this attempt. */
export async function viewAttempts(
  ctx: ServiceCtx,
  found: RepositoryWithAccess,
  attempts: readonly { run: RunRow; attempt: AttemptRow }[],
): Promise<Run[]> {
  const people = await selectAccounts(
    ctx.db,
    attempts.flatMap(({ run, attempt }) => [run.actor_id, attempt.actor_id].flatMap(id => id ?? [])),
  )
  // As to anonymous readers, so that a run never reveals an email address.
  const open = { config: ctx.config, caller: anonymous }
  const viewActor = (id: number | null) => {
    const account = id === null ? undefined : people.get(id)
    return account ? viewUserForOthers(open, account) : viewGhost(open)
  }
  const repository = viewRepository(ctx, found)
  return attempts.map(({ run, attempt }) => {
    const url = apiUrl(ctx, found, run)
    return {
      id: run.id,
      url,
      previous_attempt_url: attempt.number > 1 ? `${url}/attempts/${attempt.number - 1}` : null,
      html_url: pageUrl(ctx, found, run),
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
      created_at: wireTime(attempt.created_at),
    }
  })
}

/** Converts a job to its wire shape. */
export function viewJob(ctx: Config, found: Place, run: RunRow, job: JobRow): Job {
  // The page of the latest attempt does not show jobs that were run again.
  const earlier = job.attempt < run.attempt ? `?attempt=${job.attempt}` : ''
  return {
    id: job.id,
    url: `${baseOf(ctx, found)}/actions/jobs/${job.id}`,
    html_url: `${pageUrl(ctx, found, run)}${earlier}#job-${job.id}`,
    run_id: run.id,
    run_url: apiUrl(ctx, found, run),
    name: job.name,
    labels: job.labels,
    needs: job.needs,
    run_attempt: job.attempt,
    ...viewHead(run),
    ...viewProgress(job),
    steps: [],
    created_at: wireTime(job.created_at),
  }
}

type Config = Pick<ServiceCtx, 'config'>
type Place = Pick<RepositoryWithAccess, 'repository' | 'owner'>

const viewHead = ({ sha, ref }: RunRow) => ({
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

/** The name of a branch or tag, without what comes before it in the full name of its ref. */
export const shortRef = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')

const baseOf = ({ config }: Config, { owner, repository }: Place): string =>
  `${config.baseUrl}/api/v1/repos/${owner.name}/${repository.name}`

const apiUrl = (ctx: Config, place: Place, { id }: RunRow): string =>
  `${baseOf(ctx, place)}/actions/runs/${id}`

const pageUrl = ({ config }: Config, { owner, repository }: Place, { id }: RunRow): string =>
  `${config.baseUrl}/${owner.name}/${repository.name}/actions/runs/${id}`
