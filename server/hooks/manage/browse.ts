import type { UserCtx } from '@/server/kernel/ctx'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import { listHooks } from '../list'
import type { HookFor, HookScopeFor } from '../load'
import type { HookRow } from '../store'
import { healthOf } from './health'
import type { BrowsedHook, HookHealth } from './schema'
import { viewManagedHook } from './view'

/**
 * Lists a page of the webhooks of an account, an organization, a repository, or the site, oldest first, with
 * statistics about their recent deliveries.
 */
export async function browseHooks(
  ctx: UserCtx,
  scope: HookScopeFor,
  input: PageRequest,
): Promise<Page<BrowsedHook>> {
  const page = await listHooks(ctx, scope, input)
  const health = await healthOf(
    ctx.db,
    page.items.map(({ id }) => id),
  )
  return { ...page, items: page.items.map(hook => browsed(ctx, hook, health)) }
}

/** Returns a webhook with statistics about its recent deliveries. */
export async function showHook(ctx: UserCtx, { hook }: HookFor): Promise<BrowsedHook> {
  const health = await healthOf(ctx.db, [hook.id])
  return browsed(ctx, hook, health)
}

const browsed = (ctx: UserCtx, hook: HookRow, health: Map<number, HookHealth>): BrowsedHook => ({
  ...viewManagedHook(ctx, hook),
  health: health.get(hook.id) ?? { outcomes: '', pending: 0, last: null },
})
