import {
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Transaction,
  type UpdateObject,
} from 'kysely'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { RunnersTable } from '@/db/tables/runners'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { lockOwners, type SettingsScope } from '@/server/scopes'
import { pausedAt } from './state'

/** Row of a runner without its secret. */
export type RunnerRow = Omit<Selectable<RunnersTable>, 'secret_hash'>

export const runnerColumns = [
  'runners.id',
  'runners.uuid',
  'runners.owner_id',
  'runners.repository_id',
  'runners.name',
  'runners.version',
  'runners.labels',
  'runners.declared_labels',
  'runners.labels_edited',
  'runners.capabilities',
  'runners.is_ephemeral',
  'runners.retired_at',
  'runners.disabled_at',
  'runners.disabled_by',
  'runners.disabled_note',
  'runners.resume_at',
  'runners.last_online_at',
  'runners.last_active_at',
  'runners.created_at',
] as const

/** Columns that identify the scope of a runner or a registration token. */
export interface ScopeColumns {
  owner_id: number | null
  repository_id: number | null
}

export function scopeColumns(scope: SettingsScope): ScopeColumns {
  switch (scope.kind) {
    case 'owner':
      return { owner_id: scope.ownerId, repository_id: null }
    case 'repository':
      return { owner_id: null, repository_id: scope.repositoryId }
    case 'site':
      return { owner_id: null, repository_id: null }
  }
}

/** Finds the scope of a runner; undefined if its repository was deleted. */
export async function scopeOf(
  db: Db,
  { owner_id, repository_id: repositoryId }: ScopeColumns,
): Promise<SettingsScope | undefined> {
  if (owner_id !== null) return { kind: 'owner', ownerId: owner_id }
  if (repositoryId === null) return { kind: 'site' }
  const found = await db
    .selectFrom('repositories')
    .select('owner_id')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return found && { kind: 'repository', repositoryId, ownerId: found.owner_id }
}

/**
 * Locks a scope and the given accounts against deletion until the transaction ends.
 * @returns the account that owns the scope; null for the site; undefined if the scope was deleted
 */
export async function lockOwnersOf(
  trx: Transaction<Database>,
  columns: ScopeColumns,
  people: readonly number[] = [],
): Promise<number | null | undefined> {
  const find = async () => {
    const scope = await scopeOf(trx, columns)
    return scope && (scope.kind === 'site' ? null : scope.ownerId)
  }
  const accountId = await find()
  if (accountId === undefined) return undefined
  const others = people.map(id => ({ accountId: id, repositoryId: null }))
  const locked = await lockOwners(trx, [{ accountId, repositoryId: columns.repository_id }, ...others])
  return accountId === null || locked.accounts.includes(accountId) ? await find() : undefined
}

/** Filter for runners. */
export interface RunnerFilter {
  disabled?: boolean | undefined
  now: Date
}

/** Returns a query for the runners that are managed from a scope. The site manages every runner. */
export function runnersOf(db: Db, scope: SettingsScope): SelectQueryBuilder<Database, 'runners', object> {
  const runners = db.selectFrom('runners').where('retired_at', 'is', null)
  switch (scope.kind) {
    case 'owner':
      return runners.where('owner_id', '=', scope.ownerId)
    case 'repository':
      return runners.where('repository_id', '=', scope.repositoryId)
    case 'site':
      return runners
  }
}

const filtered = (db: Db, scope: SettingsScope, { disabled, now }: RunnerFilter) =>
  runnersOf(db, scope).$if(disabled !== undefined, query =>
    query.where(disabled ? pausedAt(now) : sql<SqlBool>`not ${pausedAt(now)}`),
  )

/** Selects a page of a scope's runners, most recently connected first, with the total count. */
export function selectRunners(
  db: Db,
  scope: SettingsScope,
  filter: RunnerFilter,
  page: PageRequest,
): Promise<(RunnerRow & { total: number })[]> {
  return filtered(db, scope, filter)
    .select([...runnerColumns, windowTotal])
    .orderBy('last_online_at', order => order.desc().nullsLast())
    .orderBy('id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countRunners(db: Db, scope: SettingsScope, filter: RunnerFilter): Promise<number> {
  return countRows(filtered(db, scope, filter))
}

/** Finds a runner of the scope by ID. */
export function findRunner(db: Db, scope: SettingsScope, id: number): Promise<RunnerRow | undefined> {
  return runnersOf(db, scope).select(runnerColumns).where('id', '=', id).executeTakeFirst()
}

/**
 * Locks a runner, its scope and the given accounts until the transaction ends, and returns the runner's
 * current row; undefined if it was deleted or retired.
 */
export async function lockRunner(
  trx: Transaction<Database>,
  id: number,
  people: readonly number[] = [],
): Promise<(RunnerRow & { scopeOwnerId: number | null }) | undefined> {
  const find = () =>
    trx.selectFrom('runners').select(runnerColumns).where('id', '=', id).where('retired_at', 'is', null)
  const scope = await find().executeTakeFirst()
  const scopeOwnerId = scope && (await lockOwnersOf(trx, scope, people))
  const runner = scopeOwnerId !== undefined && (await find().forNoKeyUpdate().executeTakeFirst())
  return runner ? { ...runner, scopeOwnerId } : undefined
}

/**
 * Counts the runners that belong to exactly this scope. For the site, these are the runners that take jobs of
 * every repository.
 */
export function countRunnersOf(db: Db, { owner_id, repository_id }: ScopeColumns): Promise<number> {
  return countRows(
    db
      .selectFrom('runners')
      .where('owner_id', owner_id === null ? 'is' : '=', owner_id)
      .where('repository_id', repository_id === null ? 'is' : '=', repository_id)
      .where('retired_at', 'is', null),
  )
}

export function insertRunner(
  trx: Transaction<Database>,
  runner: Insertable<RunnersTable>,
): Promise<RunnerRow> {
  return trx.insertInto('runners').values(runner).returning(runnerColumns).executeTakeFirstOrThrow()
}

/** Finds the runner with this UUID, with the hash of its secret for authentication. */
export function findCaller(db: Db, uuid: string): Promise<(RunnerRow & { secret_hash: Buffer }) | undefined> {
  return db
    .selectFrom('runners')
    .modifyFront(prepared)
    .select([...runnerColumns, 'secret_hash'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
}

/** Changes a runner; undefined if it was deleted. */
export function updateRunner(
  db: Db,
  id: number,
  change: UpdateObject<Database, 'runners'>,
): Promise<RunnerRow | undefined> {
  return db
    .updateTable('runners')
    .set(change)
    .where('id', '=', id)
    .returning(runnerColumns)
    .executeTakeFirst()
}
