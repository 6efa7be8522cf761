import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type ClaimedEvent, claimedColumns, claimedEventOf } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { selectAccounts } from '@/server/users'
import type { DueDelivery } from '../delivery/due'
import { concerns, decide } from '../delivery/match'
import { buildRequest, withoutCredentials } from '../delivery/request'
import { formatBody } from '../formats'
import type { HookFor } from '../load'
import { hookKinds, hookTypeOf, payloadOf } from '../payload'
import type { HookPayload } from '../payload/types'
import type { HookRow } from '../store'
import type { DryRun } from './schema'
import { findPayload } from './store'
import { textOf } from './view'

/**
 * Builds the request that a webhook would send for an event, without sending it. Uses the stored payload if
 * the event was already sent; otherwise builds the payload from the current state. Defaults to the newest
 * event that the webhook subscribes to.
 * @throws {DomainError} notFound if there is no such event, or if the webhook cannot receive it.
 */
export async function dryRun(ctx: UserCtx, found: HookFor, eventId: number | undefined): Promise<DryRun> {
  const { hook } = found
  const event = await findEvent(ctx, hook, eventId)
  if (!event || !concerns(hook, event)) {
    throw notFound(
      eventId === undefined
        ? 'No events that this webhook subscribes to have occurred yet.'
        : `There is no event ${eventId} that this webhook could receive. See hooks/events for a list of the events in its scope.`,
    )
  }
  const sent = await findSent(ctx, hook.id, event.id)
  if (sent) return { event_id: event.id, reason: null, request: await requestOf(ctx, found, sent) }
  const payload = await payloadOf(ctx, event)
  const format = (made: HookPayload) => formatBody(hook.type, made, hook.options)
  const decided = decide(hook, hookTypeOf(event.kind), payload, format)
  const reason = 'skipped' in decided ? decided.skipped : null
  // The request can be shown even if the webhook does not subscribe to the event.
  const shown = 'skipped' in decided ? payload && format(payload) : decided
  if (!payload || !shown || 'skipped' in shown) return { event_id: event.id, reason, request: null }
  const draft = {
    uuid: randomUUID(),
    event: payload.event,
    event_type: payload.eventType,
    sequence: await nextSequence(ctx, hook.id),
    attempts: 0,
    content_type: hook.content_type,
    json: shown.body,
  }
  return { event_id: event.id, reason, request: await requestOf(ctx, found, draft) }
}

async function findEvent(
  { db }: UserCtx,
  hook: HookRow,
  eventId: number | undefined,
): Promise<ClaimedEvent | undefined> {
  const wanted = hookKinds.filter(kind => hook.events.includes(hookTypeOf(kind) ?? ''))
  const kinds = eventId === undefined ? wanted : hookKinds
  if (kinds.length === 0) return undefined
  const row = await db
    .selectFrom('events')
    .select(claimedColumns)
    .where('kind', '=', sql<string>`any (${[...kinds]}::text[])`)
    .$if(eventId !== undefined, events => events.where('id', '=', eventId!))
    .$if(hook.owner_id !== null, events => events.where('owner_id', '=', hook.owner_id))
    .$if(hook.repository_id !== null, events => events.where('repository_id', '=', hook.repository_id))
    // The events of a repository are indexed by time.
    .$if(hook.repository_id !== null, events => events.orderBy('created_at', 'desc'))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && claimedEventOf(row)
}

type Draft = Pick<DueDelivery, 'uuid' | 'event' | 'event_type' | 'sequence' | 'attempts' | 'content_type'> & {
  json: string
}

async function findSent({ db }: UserCtx, hookId: number, eventId: number): Promise<Draft | undefined> {
  const row = await db
    .selectFrom('hook_deliveries')
    .select(['uuid', 'event', 'event_type', 'sequence', 'attempts', 'content_type', 'payload_id'])
    .where('event_id', '=', eventId)
    .where('hook_id', '=', hookId)
    .executeTakeFirst()
  const body = row && (await findPayload(db, row.payload_id))
  return body && { ...row, json: await textOf(body) }
}

async function nextSequence({ db }: UserCtx, hookId: number): Promise<number> {
  const row = await db.selectFrom('hooks').select('last_sequence').where('id', '=', hookId).executeTakeFirst()
  return (row?.last_sequence ?? 0) + 1
}

async function requestOf(ctx: UserCtx, { hook }: HookFor, draft: Draft): Promise<DryRun['request']> {
  const target = hook.scope === 'owner' ? await ownerKind(ctx, hook.owner_id) : hook.scope
  const delivery = { ...hook, ...draft, target_type: target }
  const { method, url, headers, body } = buildRequest(ctx.config, delivery, draft.json, ctx.clock.now())
  return { method, url, headers: withoutCredentials(headers), payload: body }
}

async function ownerKind(ctx: UserCtx, id: number | null): Promise<'organization' | 'user'> {
  const owner = id === null ? undefined : (await selectAccounts(ctx.db, [id])).get(id)
  return owner?.kind === 'organization' ? 'organization' : 'user'
}
