import type { ServiceCtx } from '@/server/kernel/ctx'
import { githubPage } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import { countScopeJobs, type JobRow, selectScopeJobs, selectTasksOfJobs, type TaskRow } from './job-store'
import { loadActions } from './load'
import type { ListedTask, ListTasksInput, TaskList } from './schema'
import { type RunRow, selectRunsById } from './store'
import { pageUrl, type RepositoryOfRun, viewHead } from './view'

/**
 * Lists a page of the executions of a repository's jobs, newest first.
 * @throws {DomainError} as `loadActions`.
 */
export async function listTasks(ctx: ServiceCtx, input: ListTasksInput): Promise<TaskList> {
  const found = await loadActions(ctx, input, 'read')
  const scope = { kind: 'repository', repositoryId: found.repository.id } as const
  const filter = { hasTask: true }
  const jobs = await selectScopeJobs(ctx.db, scope, filter, githubPage(input))
  const runs = await selectRunsById(ctx.db, [...new Set(jobs.map(({ run_id }) => run_id))])
  const ids = jobs.map(({ id }) => id)
  const tasks = await selectTasksOfJobs(ctx.db, ids)
  const shown = jobs.flatMap(job => {
    const [task, run] = [tasks.get(job.id), runs.get(job.run_id)?.run]
    return task && run ? [viewListedTask(ctx, found, { task, job, run })] : []
  })
  return { workflow_runs: shown, total_count: await countScopeJobs(ctx.db, scope, filter) }
}

function viewListedTask(
  ctx: ServiceCtx,
  location: RepositoryOfRun,
  { task, job, run }: { task: TaskRow; job: JobRow; run: RunRow },
): ListedTask {
  const started = wireTime(task.started_at)
  return {
    id: task.id,
    name: job.name,
    ...viewHead(run),
    run_number: run.number,
    event: run.event,
    display_title: run.title,
    status: (task.status === 'ended' && job.conclusion) || 'running',
    workflow_id: run.workflow_path.slice(run.workflow_path.lastIndexOf('/') + 1),
    url: pageUrl(ctx, location, run),
    created_at: started,
    updated_at: wireTime(job.updated_at),
    run_started_at: started,
  }
}
