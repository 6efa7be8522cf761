import type { ServiceCtx } from '@/server/kernel/ctx'
import { type SealPurpose, unseal } from '@/server/kernel/seal'
import { wireTime } from '@/server/kernel/wire'
import type { Hook } from './schema'
import type { HookRow } from './store'

type SealCtx = Pick<ServiceCtx, 'config' | 'log'>

/**
 * Converts a webhook to its API representation, without secrets. A webhook that the site has disabled is
 * shown as not active.
 */
export function viewHook(ctx: SealCtx, hook: HookRow): Hook {
  return {
    id: hook.id,
    name: hook.name,
    type: hook.type,
    branch_filter: hook.branch_filter,
    config: {
      url: openSealed(ctx, 'hook.url', hook.url_sealed) ?? '',
      content_type: hook.content_type,
      ...hook.options,
    },
    events: hook.events,
    authorization_header: '',
    active: isEnabled(hook),
    updated_at: wireTime(hook.updated_at),
    created_at: wireTime(hook.created_at),
  }
}

/** Whether the owner has activated the webhook and the site has not disabled it. */
export const isEnabled = (hook: Pick<HookRow, 'is_active' | 'disabled_reason'>): boolean =>
  hook.is_active && hook.disabled_reason === null

/**
 * Decrypts a stored setting of a webhook, such as the URL or the secret; undefined if none is stored or if
 * the site's current key cannot decrypt it. Such a setting can be replaced, or the webhook can be deleted.
 */
export function openSealed(ctx: SealCtx, purpose: SealPurpose, sealed: Buffer | null): string | undefined {
  if (sealed === null) return undefined
  try {
    return unseal(ctx.config, purpose, sealed)
  } catch (error) {
    ctx.log.error({ err: error }, 'an encrypted setting of a webhook cannot be decrypted')
    return undefined
  }
}
