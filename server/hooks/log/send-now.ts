import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { announce } from '@/server/events'
import { anonymous } from '@/server/kernel/caller'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { deleted, tooManyRequests, unprocessable } from '@/server/kernel/errors'
import { compress } from '@/server/kernel/gzip'
import { viewOrg } from '@/server/orgs'
import { asOwner, findRepositoryById, viewRepositoryAs } from '@/server/repos'
import { selectAccounts, viewUserForOthers } from '@/server/users'
import { formatBody } from '../formats'
import type { HookFor, HookScopeFor } from '../load'
import type { PingBody } from '../payload/bodies'
import { type HookPayload, payload } from '../payload/types'
import { viewHook } from '../view'
import { samplePush } from './sample-push'

/**
 * Sends a ping to a webhook, even if it is not active.
 * @throws {DomainError} tooManyRequests if the webhook was pinged or tested ten times within a minute.
 */
export async function pingHook(ctx: UserCtx, found: HookFor): Promise<void> {
  const { hook, scope } = found
  // As in all payloads, the fields are those that an anonymous viewer sees.
  const outside = { ...ctx, caller: anonymous }
  const body = {
    hook_id: hook.id,
    hook: viewHook(ctx, hook),
    ...(await viewScope(outside, scope)),
    sender: viewUserForOthers(outside, ctx.caller.user),
  }
  await queueNow(ctx, found, 'ping', payload('ping', body))
}

/**
 * Sends a webhook a test push, even if the webhook is inactive or does not subscribe to pushes. The push
 * contains the newest commit of the requested branch or tag, in the webhook's repository or, for webhooks of
 * an account, an organization, or the site, in the most recently changed repository. Sends a ping if there is
 * no repository.
 * @throws {DomainError} notFound if the repository is empty or has no such ref; unprocessable if the
 * webhook's type has no message for the push; tooManyRequests if the webhook was pinged or tested ten times
 * within a minute.
 */
export async function testHook(ctx: UserCtx, found: HookFor, ref: string | undefined): Promise<void> {
  const push = await samplePush(ctx, found.scope, ref)
  if (push) await queueNow(ctx, found, 'test', push)
  else await pingHook(ctx, found)
}

async function viewScope(
  ctx: ServiceCtx,
  scope: HookScopeFor,
): Promise<Pick<PingBody, 'organization' | 'repository'>> {
  if (scope.kind === 'site') return {}
  const owner = (await selectAccounts(ctx.db, [scope.ownerId])).get(scope.ownerId)
  if (!owner) return {}
  const organization = owner.kind === 'organization' ? { organization: viewOrg(ctx, owner) } : {}
  if (scope.kind === 'owner') return organization
  const repository = await findRepositoryById(ctx.db, scope.repositoryId)
  if (!repository) return organization
  return { ...organization, repository: viewRepositoryAs(ctx, { repository, owner }, asOwner) }
}

const maxPerMinute = 10

// Called while the webhook is locked, so that concurrent requests cannot add more.
async function requireFew(trx: Transaction<Database>, hookId: number, now: Date): Promise<void> {
  const recent = await trx
    .selectFrom('hook_deliveries')
    .select('id')
    .where('hook_id', '=', hookId)
    .where('created_at', '>', new Date(now.getTime() - 60_000))
    .where('kind', '!=', 'event')
    .orderBy('created_at', 'desc')
    .limit(maxPerMinute)
    .execute()
  if (recent.length < maxPerMinute) return
  throw tooManyRequests(`A webhook can be pinged or tested at most ${maxPerMinute} times a minute.`, 60)
}

async function queueNow(
  ctx: UserCtx,
  { hook }: HookFor,
  kind: 'test' | 'ping',
  made: HookPayload,
): Promise<void> {
  const formatted = formatBody(hook.type, made, hook.options)
  if ('skipped' in formatted) throw unprocessable('Webhooks of this type do not receive this event.')
  const body = await compress(formatted.body)
  const now = ctx.clock.now()
  await withTransaction(ctx.db, async trx => {
    const counted = await trx
      .updateTable('hooks')
      .set(eb => ({ last_sequence: eb('last_sequence', '+', 1) }))
      .where('id', '=', hook.id)
      .returning(['last_sequence', 'target'])
      .executeTakeFirst()
    if (!counted) throw deleted('hook')
    await requireFew(trx, hook.id, now)
    const { id: payloadId } = await trx
      .insertInto('hook_payloads')
      .values({ body, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('hook_deliveries')
      .values({
        uuid: randomUUID(),
        hook_id: hook.id,
        kind,
        event_id: null,
        event: made.event,
        event_type: made.eventType,
        sequence: counted.last_sequence,
        content_type: hook.content_type,
        payload_id: payloadId,
        target: counted.target,
        status: 'pending',
        next_attempt_at: now,
        created_at: now,
      })
      .execute()
    announce(trx, { kind: 'hook.delivery_changed', hookId: hook.id })
  })
}
