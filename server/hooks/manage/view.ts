import type { UserCtx } from '@/server/kernel/ctx'
import { checkUrl } from '@/server/kernel/egress'
import { wireTime } from '@/server/kernel/wire'
import { readAddress } from '../address'
import type { HookRow } from '../store'
import { isEnabled, openSealed } from '../view'
import type { AddressWarning, HookFields, ManagedHook, SavedHook } from './schema'

type Shown = Omit<HookFields, 'events'> & { events: string[] }

/** What the form of a hook holds. */
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

/** Shows a hook to those who manage it. */
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

/** Tells why nothing that is sent to an address would arrive as things are; null where it could, or where it is no whole one. */
export async function findAddressWarning({ config }: UserCtx, url: string): Promise<AddressWarning | null> {
  if (readAddress(url).target === undefined) return null
  return (await checkUrl(config.webhookAllowedHosts, url)) ?? null
}

/** Shows a hook whose address was given anew, with a warning where nothing that is sent there would arrive as things are. */
export async function viewWithWarning(ctx: UserCtx, row: HookRow): Promise<SavedHook> {
  const hook = viewManagedHook(ctx, row)
  return { hook, warning: await findAddressWarning(ctx, hook.url) }
}
