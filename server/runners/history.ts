import { countRows } from '@/db/sql'
import { jobUrls } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { offsetOf, type Page, type PageRequest } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import type { RunnerFor } from './load'
import type { RunnerJob } from './schema'

/** Lists a page of the jobs that a runner has run or is running, newest first. */
export async function listRunnerJobs(
  ctx: ServiceCtx,
  { runner: { id } }: RunnerFor,
  page: PageRequest,
): Promise<Page<RunnerJob>> {
  const tasks = ctx.db.selectFrom('workflow_tasks').where('workflow_tasks.runner_id', '=', id)
  const rows = await tasks
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_tasks.job_id')
    .innerJoin('workflow_runs', 'workflow_runs.id', 'workflow_tasks.run_id')
    .innerJoin('repositories', 'repositories.id', 'workflow_tasks.repository_id')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select([
      'workflow_jobs.id',
      'workflow_jobs.run_id',
      'workflow_runs.number as run_number',
      'workflow_jobs.name',
      'workflow_runs.workflow_name as workflow',
      'users.name as owner',
      'repositories.name as repository',
      'workflow_jobs.status',
      'workflow_jobs.conclusion',
      'workflow_tasks.started_at',
      'workflow_tasks.ended_at',
    ])
    .orderBy('workflow_tasks.id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  const items = rows.map(({ owner, repository, started_at, ended_at, ...row }): RunnerJob => {
    const names = { owner: { name: owner }, repository: { name: repository } }
    return {
      ...row,
      repository: `${owner}/${repository}`,
      ...jobUrls(ctx, names, row),
      started_at: wireTime(started_at),
      completed_at: ended_at && wireTime(ended_at),
    }
  })
  return { ...page, items, total: await countRows(tasks) }
}
