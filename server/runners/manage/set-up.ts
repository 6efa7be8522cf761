import type { UserCtx } from '@/server/kernel/ctx'
import type { SettingsScopeFor } from '@/server/scopes'
import { issueRegistrationToken } from '../registration'
import { runnerColumns, runnersOf } from '../store'
import { browsed } from './browse'
import type { BrowsedRunner } from './schema'

/** Returns the registration token of a scope and the ID of the newest runner on the site. */
export async function setUpRunners(
  ctx: UserCtx,
  scope: SettingsScopeFor,
): Promise<{ token: string; last_id: number }> {
  const last = await ctx.db
    .selectFrom('runners')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return { token: await issueRegistrationToken(ctx, scope), last_id: last?.id ?? 0 }
}

/**
 * Lists the first 10 runners of a scope registered after the runner with the given ID. For the site, these
 * are only its own runners.
 */
export async function listRegisteredSince(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  lastId: number,
): Promise<BrowsedRunner[]> {
  const rows = await runnersOf(ctx.db, scope)
    .select(runnerColumns)
    .where('id', '>', lastId)
    .$if(scope.kind === 'site', query =>
      query.where('owner_id', 'is', null).where('repository_id', 'is', null),
    )
    .orderBy('id')
    .limit(10)
    .execute()
  return await browsed(ctx, rows)
}
