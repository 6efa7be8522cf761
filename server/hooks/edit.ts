import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { type SealPurpose, seal } from '@/server/kernel/seal'
import { type HookOptions, readChangedConfig } from './config'
import { internalEvents } from './event-names'
import type { HookFor } from './load'
import { aboutHook, recordHookEvent } from './record'
import type { EditHookOption, HookType } from './schema'
import { type HookChange, type HookRow, lockHook, updateHook } from './store'
import { isEnabled, openSealed } from './view'

/** How long a replaced secret keeps signing in addition to the new one, in milliseconds. */
const formerSecretMs = 24 * 60 * 60 * 1000

/** Changes to a webhook. Absent fields stay unchanged, and an empty string clears a field. */
export type HookEdit = Omit<EditHookOption, 'id'>

/**
 * Changes the fields of a webhook that are present in the edit. A replaced secret keeps signing in addition
 * to the new one for a day. Activating a webhook clears the reason for which the site had disabled it.
 * @param editFor Computes the edit from the current webhook, which stays locked until the change is written.
 * @throws {DomainError} notFound if the webhook is deleted concurrently; unprocessable if `config` is
 * invalid; invalid if the Slack channel is invalid.
 */
export async function changeHook(
  ctx: UserCtx,
  { scope, hook: { id } }: HookFor,
  editFor: (current: HookRow) => HookEdit,
): Promise<HookRow> {
  return await withTransaction(ctx.db, async trx => {
    const current = await lockHook(trx, scope, id)
    if (!current) throw deleted('hook')
    const changes = changesOf(ctx, current, editFor(current))
    const changed = Object.keys(changes).sort()
    if (changed.length === 0) return current
    const columns: HookChange = Object.assign({}, ...Object.values(changes))
    const hook = await updateHook(trx, id, { ...columns, updated_at: ctx.clock.now() })
    const { ownerId, facts } = aboutHook(scope, hook)
    await recordHookEvent(ctx, trx, {
      kind: 'hook.edited',
      ownerId,
      facts: { ...facts, changed: changed.join(' ') },
    })
    return hook
  })
}

// Returns the changed columns by the wire name of the changed field.
function changesOf(ctx: UserCtx, current: HookRow, input: HookEdit): Record<string, HookChange> {
  const config = readChangedConfig(current.type as HookType, input.config ?? {})
  const events = input.events && internalEvents(input.events)
  const changes: Record<string, HookChange | false> = {
    url: urlChange(ctx, current, config),
    content_type: differs(current.content_type, config.contentType) && { content_type: config.contentType },
    ...optionChanges(current, config.options ?? {}),
    secret: secretChange(ctx, current, config.secret),
    authorization_header: authorizationChange(ctx, current, input.authorization_header),
    events: differs(current.events.join(' '), events?.join(' ')) && { events },
    branch_filter: differs(current.branch_filter, input.branch_filter) && {
      branch_filter: input.branch_filter,
    },
    name: differs(current.name, input.name) && { name: input.name },
    active: activeChange(current, input.active),
  }
  return Object.fromEntries(
    Object.entries(changes).filter((entry): entry is [string, HookChange] => entry[1] !== false),
  )
}

const differs = <T>(current: T, next: T | undefined): boolean => next !== undefined && next !== current

// Provisioning tools send all fields with every change, so an unchanged secret must not count as replaced.
function differsSealed(
  ctx: UserCtx,
  purpose: SealPurpose,
  current: Buffer | null,
  next: string | undefined,
): next is string {
  if (next === undefined) return false
  return current === null ? next !== '' : next !== openSealed(ctx, purpose, current)
}

const sealedOrNone = (ctx: UserCtx, purpose: SealPurpose, text: string): Buffer | null =>
  text === '' ? null : seal(ctx.config, purpose, text)

function urlChange(
  ctx: UserCtx,
  current: HookRow,
  { url, target }: { url?: string; target?: string },
): HookChange | false {
  if (!differsSealed(ctx, 'hook.url', current.url_sealed, url)) return false
  // The health of the old URL says nothing about the new one.
  return { url_sealed: seal(ctx.config, 'hook.url', url), target, failing_since: null }
}

function optionChanges(current: HookRow, next: HookOptions): Record<string, HookChange> {
  const options = JSON.stringify({ ...current.options, ...next })
  return Object.fromEntries(
    Object.keys(next)
      .filter(key => next[key] !== current.options[key])
      .map(key => [key, { options }]),
  )
}

function secretChange(ctx: UserCtx, current: HookRow, next: string | undefined): HookChange | false {
  const former = current.secret_sealed
  if (!differsSealed(ctx, 'hook.secret', former, next)) return false
  // Sending would fail if the former secret could not be decrypted.
  const bothSign = next !== '' && openSealed(ctx, 'hook.secret', former) !== undefined
  return {
    secret_sealed: sealedOrNone(ctx, 'hook.secret', next),
    former_secret_sealed: bothSign ? former : null,
    former_secret_until: bothSign ? new Date(ctx.clock.now().getTime() + formerSecretMs) : null,
  }
}

function authorizationChange(ctx: UserCtx, current: HookRow, next: string | undefined): HookChange | false {
  if (!differsSealed(ctx, 'hook.authorization', current.authorization_sealed, next)) return false
  return { authorization_sealed: sealedOrNone(ctx, 'hook.authorization', next) }
}

function activeChange(current: HookRow, next: boolean | undefined): HookChange | false {
  if (next === undefined || (next === current.is_active && next === isEnabled(current))) return false
  return { is_active: next, disabled_reason: null, failing_since: null }
}
