import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { announce, originOf, recordedInsertion } from '@/server/events'
import { requireAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { seal } from '@/server/kernel/seal'
import { requireSameScope } from '@/server/scopes'
import { mapForeignKeyError } from '@/server/users'
import { readNewConfig, readType } from './config'
import { internalEvents } from './event-names'
import type { HookScopeFor } from './load'
import type { CreateHookOption } from './schema'
import { countHooks, type HookRow, hookInsertion, type NewHook } from './store'

// Limited because each event is checked against every webhook of its scope.
const maxHooks = 250

const insertHook = recordedInsertion({ kind: 'hook.added', idFact: 'hookId', insert: hookInsertion })

/**
 * Adds a webhook to a scope: an account, an organization, a repository, or the site. Sends nothing to the
 * webhook's URL yet.
 * @throws {DomainError} unprocessable if `config` is incomplete or invalid, or if the scope already has 250
 * webhooks; invalid if the Slack channel is invalid; forbidden if the caller adds a site webhook without
 * being a site administrator; notFound if the scope is deleted concurrently.
 */
export async function addHook(ctx: UserCtx, scope: HookScopeFor, input: CreateHookOption): Promise<HookRow> {
  const type = readType(input.type)
  const { isSystem, ...config } = readNewConfig(type, input.config)
  const hook = {
    ...columnsOf(ctx, scope, isSystem),
    type,
    name: input.name ?? '',
    url_sealed: seal(ctx.config, 'hook.url', config.url),
    target: config.target,
    content_type: config.contentType,
    options: JSON.stringify(config.options),
    secret_sealed: config.secret ? seal(ctx.config, 'hook.secret', config.secret) : null,
    authorization_sealed: input.authorization_header
      ? seal(ctx.config, 'hook.authorization', input.authorization_header)
      : null,
    events: internalEvents(input.events ?? []),
    branch_filter: input.branch_filter ?? '',
    is_active: input.active ?? false,
  }
  try {
    // Concurrent requests may exceed the limit slightly. That is harmless because the limit only bounds cost.
    if ((await countHooks(ctx.db, scope)) >= maxHooks) throw tooManyHooks()
    return await withTransaction(ctx.db, async trx => {
      await requireSameScope(trx, scope)
      return await insert(ctx, trx, scope, hook)
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

/** Inserts a webhook and records the event of the insertion in one statement. */
async function insert(
  ctx: UserCtx,
  trx: Transaction<Database>,
  scope: HookScopeFor,
  hook: NewHook,
): Promise<HookRow> {
  const ownerId = scope.kind === 'site' ? null : scope.ownerId
  const repositoryId = hook.repository_id
  const facts = { type: hook.type, target: hook.target, scope: hook.scope, repositoryId }
  const added = await insertHook(trx, originOf(ctx), hook, { ownerId, facts })
  if (!added) throw new Error('the webhook was not inserted')
  announce(trx, { kind: 'hook.changed', hookId: added.id, ownerId, repositoryId })
  return added
}

function columnsOf(ctx: UserCtx, scope: HookScopeFor, isSystem: boolean) {
  const none = { owner_id: null, repository_id: null }
  if (scope.kind === 'site') return { ...none, scope: isSystem ? 'system' : 'default' } as const
  if (isSystem) {
    requireAdmin(ctx.caller)
    throw unprocessable('Only the site can have system webhooks. Create one with POST /admin/hooks.', {
      field: 'is_system_webhook',
    })
  }
  return scope.kind === 'owner'
    ? ({ ...none, scope: 'owner', owner_id: scope.ownerId } as const)
    : ({ ...none, scope: 'repository', repository_id: scope.repositoryId } as const)
}

const tooManyHooks = (): DomainError =>
  unprocessable(`The maximum number of webhooks is ${maxHooks}. Delete one that is no longer used.`, {
    reason: { code: 'tooMany', what: 'hooks', most: maxHooks },
  })
