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
import { lockOwners, type Place } from '@/server/places'
import { pausedAt } from './state'

/** A runner without its secret. */
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

/** The columns that say what a runner, or its registration token, belongs to. */
export interface PlaceColumns {
  owner_id: number | null
  repository_id: number | null
}

export function placeColumns(place: Place): PlaceColumns {
  switch (place.scope) {
    case 'owner':
      return { owner_id: place.ownerId, repository_id: null }
    case 'repository':
      return { owner_id: null, repository_id: place.repositoryId }
    case 'site':
      return { owner_id: null, repository_id: null }
  }
}

/** Finds the place of a runner; undefined if its repository is gone. */
export async function placeOf(
  db: Db,
  { owner_id, repository_id: repositoryId }: PlaceColumns,
): Promise<Place | undefined> {
  if (owner_id !== null) return { scope: 'owner', ownerId: owner_id }
  if (repositoryId === null) return { scope: 'site' }
  const found = await db
    .selectFrom('repositories')
    .select('owner_id')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return found && { scope: 'repository', repositoryId, ownerId: found.owner_id }
}

/**
 * Locks a place, and accounts that what is written there refers to, against deletion until the transaction ends.
 * @returns The account that owns it, null for the site; undefined if the place is gone.
 */
export async function lockPlace(
  trx: Transaction<Database>,
  columns: PlaceColumns,
  people: readonly number[] = [],
): Promise<number | null | undefined> {
  const find = async () => {
    const place = await placeOf(trx, columns)
    return place && (place.scope === 'site' ? null : place.ownerId)
  }
  const accountId = await find()
  if (accountId === undefined) return undefined
  const others = people.map(id => ({ accountId: id, repositoryId: null }))
  const locked = await lockOwners(trx, [{ accountId, repositoryId: columns.repository_id }, ...others])
  return accountId === null || locked.accounts.includes(accountId) ? await find() : undefined
}

/** Which runners to list. */
export interface RunnerFilter {
  disabled?: boolean | undefined
  now: Date
}

/** The runners that are managed from a place: every one from the site. */
export function runnersOf(db: Db, place: Place): SelectQueryBuilder<Database, 'runners', object> {
  const runners = db.selectFrom('runners').where('retired_at', 'is', null)
  switch (place.scope) {
    case 'owner':
      return runners.where('owner_id', '=', place.ownerId)
    case 'repository':
      return runners.where('repository_id', '=', place.repositoryId)
    case 'site':
      return runners
  }
}

const filtered = (db: Db, place: Place, { disabled, now }: RunnerFilter) =>
  runnersOf(db, place).$if(disabled !== undefined, query =>
    query.where(disabled ? pausedAt(now) : sql<SqlBool>`not ${pausedAt(now)}`),
  )

/** Selects a page of a place's runners, the ones that called last first, with the total count. */
export function selectRunners(
  db: Db,
  place: Place,
  filter: RunnerFilter,
  page: PageRequest,
): Promise<(RunnerRow & { total: number })[]> {
  return filtered(db, place, filter)
    .select([...runnerColumns, windowTotal])
    .orderBy('last_online_at', order => order.desc().nullsLast())
    .orderBy('id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countRunners(db: Db, place: Place, filter: RunnerFilter): Promise<number> {
  return countRows(filtered(db, place, filter))
}

/** Finds a runner of the place by id. */
export function findRunner(db: Db, place: Place, id: number): Promise<RunnerRow | undefined> {
  return runnersOf(db, place).select(runnerColumns).where('id', '=', id).executeTakeFirst()
}

/**
 * Locks a runner, its place and these accounts until the transaction ends, and returns its current row; undefined if it was
 * deleted or has retired.
 */
export async function lockRunner(
  trx: Transaction<Database>,
  id: number,
  people: readonly number[] = [],
): Promise<(RunnerRow & { placeOwnerId: number | null }) | undefined> {
  const find = () =>
    trx.selectFrom('runners').select(runnerColumns).where('id', '=', id).where('retired_at', 'is', null)
  const place = await find().executeTakeFirst()
  const placeOwnerId = place && (await lockPlace(trx, place, people))
  const runner = placeOwnerId !== undefined && (await find().forNoKeyUpdate().executeTakeFirst())
  return runner ? { ...runner, placeOwnerId } : undefined
}

/** Counts the runners of a place itself: for the site, those that take jobs of every repository. */
export function countRunnersOf(db: Db, { owner_id, repository_id }: PlaceColumns): Promise<number> {
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

/** Finds the runner that claims to call, with the hash of its secret. */
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
