import type { UserCtx } from '@/server/kernel/ctx'
import { type CursorPage, pageBeforeCursor } from '@/server/kernel/pagination'
import type { HookPlaceFor } from '../load'
import type { HookEvent } from './schema'
import { selectHookEvents, selectKnownHooks } from './store'
import { tracesOf, viewHookEvent } from './view'

/**
 * Lists what happened in a place that hooks can be told of, newest first, with how many of its hooks were; hooks of other
 * places that were told as well are not counted.
 */
export async function listHookEvents(
  ctx: UserCtx,
  place: HookPlaceFor,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<CursorPage<HookEvent>> {
  const page = pageBeforeCursor(limit, await selectHookEvents(ctx.db, place, { cursor, limit: limit + 1 }))
  const ids = page.items.flatMap(row => tracesOf(row).map(({ hookId }) => hookId))
  const hooks = await selectKnownHooks(ctx.db, place, [...new Set(ids)])
  const known = new Set(hooks.map(({ id }) => id))
  return { ...page, items: page.items.map(row => viewHookEvent(ctx, row, known)) }
}
