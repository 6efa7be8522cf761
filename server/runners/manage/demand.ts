import { sql } from 'kysely'
import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import type { SettingsScopeFor } from '@/server/scopes'
import { onlineMs, pausedAt } from '../state'
import { takesJobsOf, waitingIn, waitingSince } from '../waiting/store'
import type { BrowsedDemand } from './schema'

const maxShown = 20

/**
 * Counts the jobs that wait for runners of a scope by their labels, the longest waiting first, and returns
 * for each set of labels whether every job has a matching runner that is online and not paused.
 */
export async function browseDemand(ctx: UserCtx, scope: SettingsScopeFor): Promise<BrowsedDemand[]> {
  const now = ctx.clock.now()
  const repository = { id: sql.ref('waiting.repository_id'), owner_id: sql.ref('waiting.owner_id') }
  const isServed = sql<boolean>`exists (
    select from runners
    where ${takesJobsOf(repository)} and lower(waiting.labels::text)::jsonb <@ lower(runners.labels::text)::jsonb
      and runners.last_online_at >= ${new Date(now.getTime() - onlineMs)} and not ${pausedAt(now)})`
  const rows = await ctx.db
    .with('waiting', () =>
      waitingIn(ctx.db, scope)
        .select([
          'workflow_jobs.labels',
          'repositories.id as repository_id',
          'repositories.owner_id',
          sql<number>`count(*)`.as('count'),
          sql<Date>`min(${waitingSince})`.as('oldest'),
        ])
        .groupBy(['workflow_jobs.labels', 'repositories.id']),
    )
    .selectFrom('waiting')
    .select([
      'labels',
      sql<number>`sum(count)::int8`.as('count'),
      sql<Date>`min(oldest)`.as('oldest'),
      sql<boolean>`bool_and(${isServed})`.as('served'),
    ])
    .groupBy('labels')
    .orderBy(sql`min(oldest)`)
    .limit(maxShown)
    .execute()
  return rows.map(({ oldest, ...row }) => ({ ...row, oldest_queued_at: wireTime(oldest) }))
}
