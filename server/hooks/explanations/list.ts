import type { UserCtx } from '@/server/kernel/ctx'
import { type CursorPage, pageBeforeCursor } from '@/server/kernel/pagination'
import type { HookScopeFor } from '../load'
import type { HookEvent } from './schema'
import { selectHookEvents, selectKnownHooks, selectTracedDeliveries } from './store'
import { decidedOf, tracesOf, viewHookEvent } from './view'

/**
 * Lists the events of a scope (an account, an organization, a repository, or the site) that webhooks can
 * receive, newest first. For each event, counts the scope's webhooks by outcome: delivered, pending, failed,
 * or skipped.
 */
export async function listHookEvents(
  ctx: UserCtx,
  scope: HookScopeFor,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<CursorPage<HookEvent>> {
  const page = pageBeforeCursor(limit, await selectHookEvents(ctx.db, scope, { cursor, limit: limit + 1 }))
  const asked = page.items.flatMap(tracesOf)
  const hooks = await selectKnownHooks(ctx.db, scope, [...new Set(asked.map(({ hookId }) => hookId))])
  const known = new Set(hooks.map(({ id }) => id))
  const deliveries = await selectTracedDeliveries(
    ctx.db,
    asked.filter(({ hookId }) => known.has(hookId)),
  )
  return { ...page, items: page.items.map(row => viewHookEvent(ctx, row, decidedOf(row, hooks, deliveries))) }
}
