import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Insertable, Selectable } from 'kysely'
import type { HookDeliveriesTable, HooksTable } from '@/db/tables/hooks'
import { seal } from '@/server/kernel/seal'
import type { Site } from './site'

type HookOwner =
  | Pick<Insertable<HooksTable>, 'owner_id'>
  | Pick<Insertable<HooksTable>, 'repository_id'>
  | { scope: 'system' | 'default' }

/** Inserts an active webhook for pushes directly into the database. */
export function makeHook(
  site: Site,
  owner: HookOwner,
  overrides: Partial<Insertable<HooksTable>> = {},
): Promise<Selectable<HooksTable>> {
  const scope = 'scope' in owner ? owner.scope : 'owner_id' in owner ? 'owner' : 'repository'
  return site.db
    .insertInto('hooks')
    .values({
      scope,
      type: 'gitea',
      url_sealed: seal(site.services.config, 'hook.url', 'https://ci.example.test/hook'),
      target: 'ci.example.test:443',
      content_type: 'json',
      events: ['push'],
      is_active: true,
      ...owner,
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Inserts a delivery of a webhook directly into the database and returns its ID. */
export async function makeDelivery(
  site: Site,
  hook: { id: number; target: string },
  overrides: Partial<Insertable<HookDeliveriesTable>> & { body?: string } = {},
): Promise<number> {
  const { body = '{\n  "ref": "refs/heads/main"\n}', ...columns } = overrides
  const payload = await site.db
    .insertInto('hook_payloads')
    .values({ body: gzipSync(body) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await site.db
    .insertInto('hook_deliveries')
    .values({
      uuid: randomUUID(),
      hook_id: hook.id,
      kind: 'event',
      event_id: null,
      event: 'push',
      event_type: 'push',
      sequence: 1,
      content_type: 'json',
      payload_id: payload.id,
      target: hook.target,
      status: 'delivered',
      created_at: site.services.clock.now(),
      ...columns,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
