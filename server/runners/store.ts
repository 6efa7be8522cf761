import type { Insertable, Selectable, Transaction, UpdateObject } from 'kysely'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { RunnersTable } from '@/db/tables/runners'
import type { Place } from '@/server/places'

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

/**
 * Locks a place against deletion until the transaction ends, the account before the repository.
 * @returns The account that owns it, null for the site; undefined if the place is gone.
 */
export async function lockPlace(
  trx: Transaction<Database>,
  { owner_id, repository_id }: PlaceColumns,
): Promise<number | null | undefined> {
  const lockAccount = (id: number) =>
    trx.selectFrom('users').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  if (owner_id !== null) return (await lockAccount(owner_id))?.id
  if (repository_id === null) return null
  const find = () => trx.selectFrom('repositories').select(['id', 'owner_id']).where('id', '=', repository_id)
  const found = await find().executeTakeFirst()
  if (!found || !(await lockAccount(found.owner_id))) return undefined
  return (await find().forKeyShare().executeTakeFirst())?.owner_id
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
