import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { UserCtx } from '@/server/kernel/ctx'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import type { SettingsScopeFor } from '@/server/scopes'
import { selectAccounts } from '@/server/users'
import { listRunners } from '../list'
import { isOnline, isPaused } from '../state'
import type { RunnerRow } from '../store'
import { viewRunner } from '../view'
import type { BrowsedRunner, RunnerState } from './schema'

/** Lists a page of the runners of a scope as pages show them, most recently connected first. */
export async function browseRunners(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  page: PageRequest,
): Promise<Page<BrowsedRunner>> {
  const listed = await listRunners(ctx, scope, page)
  return { ...listed, items: await browsed(ctx, listed.items) }
}

/** Converts a runner to the shape that pages use. */
export async function showRunner(ctx: UserCtx, runner: RunnerRow): Promise<BrowsedRunner> {
  const [shown] = await browsed(ctx, [runner])
  return shown as BrowsedRunner
}

/** Converts runners to the shape that pages use. */
export async function browsed(ctx: UserCtx, runners: readonly RunnerRow[]): Promise<BrowsedRunner[]> {
  const now = ctx.clock.now()
  const [jobs, owners, people] = await Promise.all([
    selectCurrentJobs(ctx.db, runners),
    selectOwners(ctx.db, runners),
    selectAccounts(
      ctx.db,
      runners.flatMap(({ disabled_by }) => disabled_by ?? []),
    ),
  ])
  return runners.map((runner): BrowsedRunner => {
    const current = jobs.filter(({ runner_id }) => runner_id === runner.id)
    const paused = isPaused(runner, now)
    return {
      ...viewRunner(runner, now),
      state: stateOf(runner, current.length > 0, now),
      declared_labels: runner.declared_labels,
      created_at: wireTime(runner.created_at),
      paused_by: (paused && runner.disabled_by && people.get(runner.disabled_by)?.name) || null,
      paused_at: paused && runner.disabled_at ? wireTime(runner.disabled_at) : null,
      owner: owners.get(runner.id) ?? null,
      jobs: current.map(({ id, run_id, name, owner, repository }) => ({
        id,
        run_id,
        name,
        repository: `${owner}/${repository}`,
      })),
    }
  })
}

function stateOf(runner: RunnerRow, hasJob: boolean, now: Date): RunnerState {
  if (isPaused(runner, now)) return 'paused'
  if (!runner.last_online_at) return 'never'
  if (!isOnline(runner, now)) return 'offline'
  return hasJob ? 'busy' : 'idle'
}

const idsOf = (runners: readonly RunnerRow[]) => anyOf(runners.map(({ id }) => id))

const selectCurrentJobs = (db: Db, runners: readonly RunnerRow[]) =>
  db
    .selectFrom('workflow_tasks')
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_tasks.job_id')
    .innerJoin('repositories', 'repositories.id', 'workflow_tasks.repository_id')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select([
      'workflow_tasks.runner_id',
      'workflow_jobs.id',
      'workflow_jobs.run_id',
      'workflow_jobs.name',
      'users.name as owner',
      'repositories.name as repository',
    ])
    .where('workflow_tasks.runner_id', '=', idsOf(runners))
    .where('workflow_tasks.status', '<>', 'ended')
    .orderBy('workflow_tasks.id')
    .execute()

async function selectOwners(db: Db, runners: readonly RunnerRow[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('runners')
    .leftJoin('repositories', 'repositories.id', 'runners.repository_id')
    .innerJoin('users', join =>
      join.on(eb => eb('users.id', '=', eb.fn.coalesce('runners.owner_id', 'repositories.owner_id'))),
    )
    .select(['runners.id', 'users.name as owner', 'repositories.name as repository'])
    .where('runners.id', '=', idsOf(runners))
    .execute()
  return new Map(rows.map(({ id, owner, repository }) => [id, repository ? `${owner}/${repository}` : owner]))
}
