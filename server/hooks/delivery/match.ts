import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { ClaimedEvent } from '@/server/events'
import { matchesBranch } from '../branch-filter'
import type { HookPayload } from '../payload/types'
import type { SkipReason } from '../trace'

const columns = [
  'id',
  'scope',
  'owner_id',
  'repository_id',
  'type',
  'options',
  'content_type',
  'events',
  'branch_filter',
  'is_active',
  'disabled_reason',
] as const

export type CandidateHook = Awaited<ReturnType<typeof selectHooksFor>>[number]

/**
 * Selects the webhooks that any of these events can concern: those of the events' repositories and owners,
 * and the site's system webhooks.
 */
export function selectHooksFor(db: Db, events: readonly ClaimedEvent[]) {
  const idsOf = (key: 'ownerId' | 'repositoryId') => [...new Set(events.flatMap(event => event[key] ?? []))]
  const hooks = db.selectFrom('hooks').select(columns)
  return hooks
    .where('scope', '=', 'system')
    .unionAll(hooks.where('owner_id', '=', anyOf(idsOf('ownerId'))))
    .unionAll(hooks.where('repository_id', '=', anyOf(idsOf('repositoryId'))))
    .orderBy('id')
    .execute()
}

/**
 * Returns whether an event belongs to the repository or owner of a webhook. Always true for a system webhook,
 * which covers the whole site, and never for a default webhook, which is only copied into new repositories.
 * Ignores the webhook's other settings.
 */
export function concerns(hook: CandidateHook, event: ClaimedEvent): boolean {
  switch (hook.scope) {
    case 'system':
      return true
    case 'owner':
      return hook.owner_id === event.ownerId
    case 'repository':
      return hook.repository_id === event.repositoryId
    case 'default':
      return false
  }
}

/** Returns why a webhook receives no events of a type at the moment; undefined if it receives them. */
export function whyUnwanted(hook: CandidateHook, type: string | undefined): SkipReason | undefined {
  if (!hook.is_active) return 'inactive'
  if (hook.disabled_reason !== null) return 'disabled'
  return type !== undefined && hook.events.includes(type) ? undefined : 'event_not_chosen'
}

/** The body that a webhook receives for an event, or the reason why it receives nothing. */
type Decision = { body: string } | { skipped: SkipReason }

/**
 * Decides whether a webhook is sent an event, and returns the request body or the reason for sending nothing.
 * Used for deliveries and for dry runs. Calls `format` only if nothing else prevents the delivery.
 */
export function decide(
  hook: CandidateHook,
  type: string | undefined,
  payload: HookPayload | undefined,
  format: (payload: HookPayload, hook: CandidateHook) => Decision,
): Decision {
  const unwanted = whyUnwanted(hook, type)
  if (unwanted) return { skipped: unwanted }
  if (!payload) return { skipped: 'no_payload' }
  if (payload.ref && !matchesBranch(hook.branch_filter, payload.ref)) return { skipped: 'branch_filter' }
  return format(payload, hook)
}
