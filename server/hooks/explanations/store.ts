import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import { webhookConsumer } from '@/server/events'
import type { SettingsScope } from '@/server/scopes'
import type { Trace } from '../trace'

export type HookEventRow = Awaited<ReturnType<typeof selectHookEvents>>[number]

/**
 * Selects the events of a scope (an account, an organization, a repository, or the site) that webhooks can
 * receive, newest first. Returns only events older than the event `cursor`, if given.
 */
export async function selectHookEvents(
  db: Db,
  scope: SettingsScope,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
) {
  const events = eventsOf(db, scope)
  const page = cursor === undefined ? events : events.where(await beforeEvent(db, scope, cursor))
  const ordered = scope.kind === 'repository' ? page.orderBy('events.created_at', 'desc') : page
  return await ordered.orderBy('events.id', 'desc').limit(limit).execute()
}

export async function findHookEvent(
  db: Db,
  scope: SettingsScope,
  id: number,
): Promise<HookEventRow | undefined> {
  return await eventsOf(db, scope).where('events.id', '=', id).executeTakeFirst()
}

// The events of repositories are ordered by time, as in their index; those of accounts and the site are
// ordered by ID.
async function beforeEvent(db: Db, scope: SettingsScope, cursor: number): Promise<RawBuilder<SqlBool>> {
  const byId = sql<SqlBool>`events.id < ${cursor}`
  if (scope.kind !== 'repository') return byId
  const { repositoryId } = scope
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('id', '=', cursor)
    .executeTakeFirst()
  // The time of a swept event is unknown, but IDs sort in the same order.
  if (!row) return byId
  return sql`(events.created_at, events.id) <
    (select created_at, id from events where repository_id = ${repositoryId} and id = ${cursor})`
}

function eventsOf(db: Db, scope: SettingsScope) {
  const events = db
    .selectFrom('events')
    .leftJoin('hook_traces', 'hook_traces.event_id', 'events.id')
    .leftJoin('event_outbox', join =>
      join
        .onRef('event_outbox.event_id', '=', 'events.id')
        .on('event_outbox.consumer', '=', webhookConsumer.name),
    )
    .leftJoin('users as actors', 'actors.id', 'events.actor_id')
    .leftJoin('repositories', 'repositories.id', 'events.repository_id')
    .leftJoin('users as owners', 'owners.id', 'repositories.owner_id')
    .select([
      'events.id',
      'events.kind',
      'events.data',
      'events.owner_id',
      'events.repository_id',
      'events.created_at',
      'events.actor_id',
      'actors.name as actor',
      'repositories.name as repository',
      'owners.name as owner',
      'hook_traces.considered',
      'event_outbox.consumer',
    ])
    .where('events.kind', '=', sql<string>`any (${[...webhookConsumer.kinds]}::text[])`)
    // Jobs and statuses are numerous, so their events are shown only if a webhook subscribes to them.
    .where(eb =>
      eb.or([
        eb('events.kind', 'not like', 'job.%'),
        eb.exists(known(db, scope).where(sql<SqlBool>`'workflow_job' = any (hooks.events)`)),
      ]),
    )
    .where(eb =>
      eb.or([
        eb('events.kind', '<>', 'status.created'),
        eb.exists(known(db, scope).where(sql<SqlBool>`'status' = any (hooks.events)`)),
      ]),
    )
  switch (scope.kind) {
    case 'owner':
      return events.where('events.owner_id', '=', scope.ownerId)
    case 'repository':
      return events.where('events.repository_id', '=', scope.repositoryId)
    case 'site':
      return events
  }
}

export type KnownHook = Awaited<ReturnType<typeof selectKnownHooks>>[number]

/**
 * Selects the webhooks with these IDs that belong to a scope: a repository, an account or organization with
 * its repositories, or the whole site.
 */
export async function selectKnownHooks(db: Db, scope: SettingsScope, ids: readonly number[]) {
  return await known(db, scope).where('hooks.id', '=', anyOf(ids)).orderBy('hooks.id').execute()
}

/**
 * Selects up to 100 webhooks that would have covered an event but were created after it. Limited to a scope:
 * a repository, an account or organization with its repositories, or the whole site.
 */
export async function selectLaterHooks(
  db: Db,
  scope: SettingsScope,
  event: Pick<HookEventRow, 'owner_id' | 'repository_id' | 'created_at'>,
): Promise<KnownHook[]> {
  return await known(db, scope)
    .where(eb =>
      eb.or([
        eb('hooks.scope', '=', 'system'),
        eb('hooks.owner_id', '=', event.owner_id),
        eb('hooks.repository_id', '=', event.repository_id),
      ]),
    )
    .where('hooks.created_at', '>', event.created_at)
    .orderBy('hooks.id')
    .limit(100)
    .execute()
}

const columns = ['hooks.id', 'hooks.name', 'hooks.type', 'hooks.target', 'hooks.scope'] as const

function known(db: Db, scope: SettingsScope) {
  const hooks = db.selectFrom('hooks').select(columns)
  switch (scope.kind) {
    case 'owner':
      return hooks.where(eb =>
        eb.or([
          eb('hooks.owner_id', '=', scope.ownerId),
          eb.exists(
            eb
              .selectFrom('repositories')
              .select('repositories.id')
              .whereRef('repositories.id', '=', 'hooks.repository_id')
              .where('repositories.owner_id', '=', scope.ownerId),
          ),
        ]),
      )
    case 'repository':
      return hooks.where('hooks.repository_id', '=', scope.repositoryId)
    case 'site':
      return hooks
  }
}

export type TracedDelivery = Awaited<ReturnType<typeof selectTracedDeliveries>>[number]

/**
 * Selects the state of the webhook deliveries that these traces refer to. A trace records whether a webhook
 * was sent an event.
 */
export async function selectTracedDeliveries(db: Db, traces: readonly Trace[]) {
  const ids = traces.flatMap(trace => (trace.outcome === 'queued' ? trace.deliveryId : []))
  return await db
    .selectFrom('hook_deliveries')
    .select(['id', 'status', 'attempts', 'next_attempt_at', 'last_error'])
    .where('id', '=', anyOf(ids))
    .execute()
}
