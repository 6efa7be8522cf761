import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { checkUrl } from '@/server/kernel/egress'
import { isDomainError } from '@/server/kernel/errors'
import { wireTime } from '@/server/kernel/wire'
import { readAddress } from '../address'
import type { HookRow } from '../store'
import { isEnabled, openSealed } from '../view'
import type { AddressWarning, HookFields, ManagedHook, SavedHook } from './schema'

type Shown = Omit<HookFields, 'events'> & { events: string[] }

/** Returns a webhook's fields as its form shows them. */
export function fieldsOf(ctx: UserCtx, hook: HookRow): Shown {
  const { channel = '', username = '', icon_url = '', color = '' } = hook.options
  return {
    name: hook.name,
    url: openSealed(ctx, 'hook.url', hook.url_sealed) ?? '',
    content_type: hook.content_type,
    channel,
    username,
    icon_url,
    color,
    events: hook.events,
    branch_filter: hook.branch_filter,
    active: isEnabled(hook),
  }
}

/** Converts a webhook to the representation that its management pages use, without secrets. */
export function viewManagedHook(ctx: UserCtx, hook: HookRow): ManagedHook {
  const { former_secret_until: until, failing_since: since } = hook
  return {
    id: hook.id,
    type: hook.type,
    scope: hook.scope,
    target: hook.target,
    ...fieldsOf(ctx, hook),
    has_secret: hook.secret_sealed !== null,
    former_secret_until: until && until > ctx.clock.now() ? wireTime(until) : null,
    has_authorization_header: hook.authorization_sealed !== null,
    disabled_reason: hook.disabled_reason,
    failing_since: since && wireTime(since),
    created_at: wireTime(hook.created_at),
    updated_at: wireTime(hook.updated_at),
  }
}

/**
 * Checks whether the host of a webhook's URL resolves and whether the site allows requests to it. Returns a
 * warning if not; null if requests are possible or the URL is incomplete. Only site administrators can see
 * the IP address that the host resolves to.
 * @throws {DomainError} tooManyRequests after thirty checks in a minute, because each one sends a DNS query.
 */
export async function findAddressWarning(ctx: UserCtx, url: string): Promise<AddressWarning | null> {
  if (readAddress(url).target === undefined) return null
  await ctx.loginLimiter.countAddressCheck(ctx.caller.user.id)
  const found = await checkUrl(ctx.config.webhookAllowedHosts, url)
  if (!found) return null
  const { address, details, ...warning } = found
  return isAdmin(ctx.caller) ? { ...warning, address, message: details ?? warning.message } : warning
}

/**
 * Converts a webhook whose URL was changed, with a warning if requests to the URL are currently impossible.
 * The warning is omitted after too many checks within a minute, because the webhook is already saved.
 */
export async function viewWithWarning(ctx: UserCtx, row: HookRow): Promise<SavedHook> {
  const hook = viewManagedHook(ctx, row)
  try {
    return { hook, warning: await findAddressWarning(ctx, hook.url) }
  } catch (error) {
    if (isDomainError(error) && error.kind === 'tooManyRequests') return { hook, warning: null }
    throw error
  }
}
