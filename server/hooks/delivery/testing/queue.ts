import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Insertable } from 'kysely'
import type { Db } from '@/db/client'
import type { HookDeliveriesTable, HooksTable } from '@/db/tables/hooks'
import { seal } from '@/server/kernel/seal'

/** Configuration with the secret key that encrypts the URLs and secrets of test webhooks. */
export const sealing = { secretKey: 'a key that only tests know of: 0123456789' }

/** Adds an active system webhook for pushes. */
export async function makeHook(
  db: Db,
  {
    url = 'http://127.0.0.1:9/',
    secret,
    authorization,
    config = sealing,
    ...columns
  }: Partial<Insertable<HooksTable>> & {
    url?: string
    secret?: string
    authorization?: string
    config?: typeof sealing
  } = {},
): Promise<{ id: number; target: string }> {
  return await db
    .insertInto('hooks')
    .values({
      scope: 'system',
      type: 'gitea',
      url_sealed: seal(config, 'hook.url', url),
      target: new URL(url).host,
      content_type: 'json',
      events: ['push'],
      is_active: true,
      secret_sealed: secret === undefined ? null : seal(config, 'hook.secret', secret),
      authorization_sealed:
        authorization === undefined ? null : seal(config, 'hook.authorization', authorization),
      ...columns,
    })
    .returning(['id', 'target'])
    .executeTakeFirstOrThrow()
}

/** Adds pending push deliveries to a webhook, due since `dueAt`. */
export async function makeDeliveries(
  db: Db,
  hook: { id: number; target: string },
  count: number,
  {
    dueAt = new Date(0),
    body = '{}',
    ...columns
  }: Partial<Insertable<HookDeliveriesTable>> & { dueAt?: Date; body?: string } = {},
): Promise<{ id: number; uuid: string }[]> {
  const payload = await db
    .insertInto('hook_payloads')
    .values({ body: gzipSync(body) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_, at) => ({
    uuid: randomUUID(),
    hook_id: hook.id,
    kind: 'event' as const,
    event_id: null,
    event: 'push',
    event_type: 'push',
    sequence: at + 1,
    content_type: 'json' as const,
    payload_id: payload.id,
    target: hook.target,
    status: 'pending' as const,
    next_attempt_at: dueAt,
    ...columns,
  }))
  return await db.insertInto('hook_deliveries').values(rows).returning(['id', 'uuid']).execute()
}
