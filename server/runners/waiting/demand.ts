import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Page } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import type { SettingsScopeFor } from '@/server/scopes'
import type { Demand, DemandList, WaitingJob } from '../schema'
import { type DemandRow, selectDemand, selectWaitingJobs } from './store'

/**
 * Maximum number of jobs listed. With more demand than this, an autoscaler starts as many runners as it may
 * anyway.
 */
const maxJobs = 1000

/**
 * Lists the jobs that wait for runners of a scope, the longest waiting first. With `labels`, only those that
 * a runner with these labels could take.
 */
export async function listWaitingJobs(
  ctx: ServiceCtx,
  scope: SettingsScopeFor,
  labels: readonly string[] | undefined,
): Promise<Page<WaitingJob>> {
  const rows = await selectWaitingJobs(ctx.db, scope, labels, maxJobs)
  const items = rows.map(({ total: _, repository_id, labels: runs_on, queued_at, ...job }) => ({
    ...job,
    repo_id: repository_id,
    runs_on,
    task_id: 0,
    status: 'waiting' as const,
    queued_at: wireTime(queued_at),
  }))
  return { items, total: rows[0]?.total ?? 0, page: 1, limit: maxJobs }
}

/**
 * Counts the jobs that wait for runners of a scope, grouped by the labels that they need. With `labels`, only
 * those that a runner with these labels could take.
 */
export async function countWaitingJobs(
  ctx: ServiceCtx,
  scope: SettingsScopeFor,
  labels: readonly string[] | undefined,
): Promise<DemandList> {
  const rows = await selectDemand(ctx.db, scope, labels)
  return {
    total_count: rows.reduce((sum, { count }) => sum + count, 0),
    oldest_queued_at: rows[0] ? wireTime(rows[0].oldest) : null,
    demand: rows.map(viewDemand),
  }
}

const viewDemand = ({ labels, count, oldest }: DemandRow): Demand => ({
  labels,
  count,
  oldest_queued_at: wireTime(oldest),
})
