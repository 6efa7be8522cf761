import type { Compilable, Insertable, Selectable, SelectQueryBuilder, Transaction, Updateable } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { HooksTable } from '@/db/tables/hooks'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { SettingsScope } from '@/server/scopes'
import { lockOwners } from '@/server/scopes'

/**
 * Selects which of the site's webhooks to list. Ignored for webhooks of accounts, organizations, and
 * repositories.
 */
export interface HookFilter {
  type?: 'system' | 'default' | 'all' | undefined
}

export type HookRow = Omit<Selectable<HooksTable>, 'last_sequence' | 'busy_until'>

export const hookColumns = [
  'hooks.id',
  'hooks.scope',
  'hooks.owner_id',
  'hooks.repository_id',
  'hooks.type',
  'hooks.name',
  'hooks.url_sealed',
  'hooks.target',
  'hooks.content_type',
  'hooks.options',
  'hooks.secret_sealed',
  'hooks.former_secret_sealed',
  'hooks.former_secret_until',
  'hooks.authorization_sealed',
  'hooks.events',
  'hooks.branch_filter',
  'hooks.is_active',
  'hooks.disabled_reason',
  'hooks.failing_since',
  'hooks.created_at',
  'hooks.updated_at',
] as const

function hooksOf(
  db: Db,
  scope: SettingsScope,
  { type = 'all' }: HookFilter = {},
): SelectQueryBuilder<Database, 'hooks', object> {
  const hooks = db.selectFrom('hooks')
  switch (scope.kind) {
    case 'owner':
      return hooks.where('owner_id', '=', scope.ownerId)
    case 'repository':
      return hooks.where('repository_id', '=', scope.repositoryId)
    case 'site':
      return hooks.where('scope', 'in', type === 'all' ? ['system', 'default'] : [type])
  }
}

/**
 * Selects a page of the webhooks of an account, an organization, a repository, or the site, oldest first,
 * with the total count.
 */
export function selectHooks(
  db: Db,
  scope: SettingsScope,
  page: PageRequest & HookFilter,
): Promise<(HookRow & { total: number })[]> {
  return hooksOf(db, scope, page)
    .select([...hookColumns, windowTotal])
    .orderBy('id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countHooks(db: Db, scope: SettingsScope, filter: HookFilter = {}): Promise<number> {
  return countRows(hooksOf(db, scope, filter))
}

/**
 * Finds a webhook by ID; undefined if it does not belong to the scope: an account, an organization, a
 * repository, or the site.
 */
export function findHook(db: Db, scope: SettingsScope, id: number): Promise<HookRow | undefined> {
  return hooksOf(db, scope).select(hookColumns).where('id', '=', id).executeTakeFirst()
}

/**
 * Locks a webhook until the transaction ends and returns the current row; undefined if the webhook was
 * deleted. First locks the account, organization, or repository that the webhook belongs to.
 */
export async function lockHook(
  trx: Transaction<Database>,
  scope: SettingsScope,
  id: number,
): Promise<HookRow | undefined> {
  if (scope.kind !== 'site') {
    const repositoryId = scope.kind === 'repository' ? scope.repositoryId : null
    await lockOwners(trx, [{ accountId: scope.ownerId, repositoryId }])
  }
  return await trx.selectFrom('hooks').select(hookColumns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export type NewHook = Required<
  Pick<
    Insertable<HooksTable>,
    | 'scope'
    | 'owner_id'
    | 'repository_id'
    | 'type'
    | 'name'
    | 'url_sealed'
    | 'target'
    | 'content_type'
    | 'options'
    | 'secret_sealed'
    | 'authorization_sealed'
    | 'events'
    | 'branch_filter'
    | 'is_active'
  >
>

/** Returns the statement that inserts a webhook. */
export function hookInsertion(db: Db, hook: NewHook): Compilable<HookRow> {
  return db.insertInto('hooks').values(hook).returning(hookColumns)
}

export type HookChange = Updateable<HooksTable>

export function updateHook(trx: Transaction<Database>, id: number, change: HookChange): Promise<HookRow> {
  return trx
    .updateTable('hooks')
    .set(change)
    .where('id', '=', id)
    .returning(hookColumns)
    .executeTakeFirstOrThrow()
}

/** Deletes a webhook. Its deliveries remain and are deleted later by a background job. */
export async function deleteHook(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('hooks').where('id', '=', id).execute()
}
