import type { UserCtx } from '@/server/kernel/ctx'
import { type CursorPage, pageBeforeCursor } from '@/server/kernel/pagination'
import { bodyOf } from '../delivery/request'
import { contentTypeOf } from '../formats'
import type { HookFor } from '../load'
import type { HookDelivery, HookDeliveryDetails, ListDeliveriesInput } from './schema'
import { findPayload, readDelivery, selectAttempts, selectDeliveries } from './store'
import { textOf, viewAttempt, viewDelivery } from './view'

/** Lists a page of a webhook's deliveries, including pending ones, newest first. */
export async function listDeliveries(
  ctx: UserCtx,
  { hook }: HookFor,
  input: ListDeliveriesInput,
): Promise<CursorPage<HookDelivery>> {
  const rows = await selectDeliveries(ctx.db, hook.id, { ...input, limit: input.limit + 1 })
  const page = pageBeforeCursor(input.limit, rows)
  return { ...page, items: page.items.map(viewDelivery) }
}

/**
 * Returns a delivery with its request body and its last attempts and their responses.
 * @throws {DomainError} notFound if the delivery belongs to another webhook.
 */
export async function getDelivery(ctx: UserCtx, { hook }: HookFor, id: number): Promise<HookDeliveryDetails> {
  const row = await readDelivery(ctx.db, hook.id, id)
  const [attempts, payload] = await Promise.all([
    selectAttempts(ctx.db, row.id),
    findPayload(ctx.db, row.payload_id),
  ])
  const json = payload ? await textOf(payload) : ''
  const { body, mimeType } = bodyOf(contentTypeOf(hook.type, row.content_type), json)
  return {
    ...viewDelivery(row),
    content_type: mimeType,
    payload: body,
    attempts: await Promise.all(
      attempts.map(attempt => viewAttempt(ctx, { type: hook.type, uuid: row.uuid }, attempt)),
    ),
  }
}
