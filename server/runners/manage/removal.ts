import { sql } from 'kysely'
import type { UserCtx } from '@/server/kernel/ctx'
import type { RunnerFor } from '../load'
import { scopeOf } from '../store'
import { isFor, takesJobsOf, waitingIn } from '../waiting/store'
import type { RemovalPreview } from './schema'

/**
 * Returns the effects of deleting a runner: how many of its jobs would fail, and how many waiting jobs no
 * other runner could take.
 */
export async function previewRemoval(ctx: UserCtx, { runner }: RunnerFor): Promise<RemovalPreview> {
  const { running } = await ctx.db
    .selectFrom('workflow_tasks')
    .select(sql<number>`count(*)`.as('running'))
    .where('runner_id', '=', runner.id)
    .where('status', '<>', 'ended')
    .executeTakeFirstOrThrow()
  const scope = await scopeOf(ctx.db, runner)
  if (!scope) return { running, stranded: 0 }
  const { stranded } = await waitingIn(ctx.db, scope)
    .select(sql<number>`count(*)`.as('stranded'))
    .where(isFor(runner.labels))
    .where(
      sql<boolean>`not exists (
        select from runners
        where runners.id <> ${runner.id} and lower(workflow_jobs.labels::text)::jsonb <@ lower(runners.labels::text)::jsonb
          and ${takesJobsOf({ id: sql.ref('repositories.id'), owner_id: sql.ref('repositories.owner_id') })})`,
    )
    .executeTakeFirstOrThrow()
  return { running, stranded }
}
