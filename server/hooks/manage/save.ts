import type { UserCtx } from '@/server/kernel/ctx'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { addHook } from '../add'
import { changeHook, type HookEdit } from '../edit'
import type { HookFor, HookScopeFor } from '../load'
import type { HookRow } from '../store'
import type { HookFields, NewHookInput, SaveHookInput } from './schema'
import { fieldsOf } from './view'

/**
 * Adds a webhook from the fields of a form.
 * @throws {DomainError} as `addHook` does.
 */
export async function addManagedHook(
  ctx: UserCtx,
  scope: HookScopeFor,
  input: Omit<NewHookInput, 'scope'>,
): Promise<HookRow> {
  const { type, secret, authorization_header, system, ...fields } = input
  const { config = {}, ...rest } = editOf(fields)
  const own = { secret, ...(system === undefined ? {} : { is_system_webhook: String(system) }) }
  return await addHook(ctx, scope, { type, authorization_header, ...rest, config: { ...config, ...own } })
}

/**
 * Changes those fields of a webhook that were changed in a form.
 * @throws {DomainError} notFound if the webhook is deleted concurrently; conflict if someone else has changed
 * one of these fields since the form was shown; invalid if the Slack channel is invalid.
 */
export async function saveHook(
  ctx: UserCtx,
  found: HookFor,
  form: Pick<SaveHookInput, 'changes' | 'expected'>,
): Promise<HookRow> {
  return await changeHook(ctx, found, current => {
    const { events, ...fields } = fieldsOf(ctx, current)
    requireUnchanged({ ...fields, events: events.join(' ') }, form)
    return editOf(form.changes)
  })
}

function editOf(fields: { [Name in keyof HookFields]?: HookFields[Name] | undefined }): HookEdit {
  const { name, branch_filter, events, active, ...config } = fields
  const present = Object.entries(config).filter(([, value]) => value !== undefined)
  return {
    name,
    branch_filter,
    active,
    events: events?.split(/\s+/).filter(Boolean).map(singleValue),
    config: Object.fromEntries(present),
  }
}

// These two words alone would select whole groups.
const singleValue = (event: string): string =>
  event === 'issues' || event === 'pull_request' ? `${event}_only` : event
