import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { HookScope } from '@/db/tables/hooks'
import type { Visibility } from '@/db/tables/users'
import type { OrganizationRef, RepositoryRef } from '@/server/access'

/** Returns the data that access rules need about these organizations, without those that do not exist. */
export async function selectOrganizations(db: Db, ids: readonly number[]): Promise<OrganizationRef[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('users')
    .select(['id', 'visibility'])
    .where('id', '=', anyOf(ids))
    .where('kind', '=', 'organization')
    .orderBy('id')
    .execute()
}

/** Returns the visibility of these people by ID, without people who do not exist. */
export async function selectPeople(db: Db, ids: readonly number[]): Promise<Map<number, Visibility>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'visibility'])
    .where('id', '=', anyOf(ids))
    .where('kind', '=', 'person')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ id, visibility }) => [id, visibility]))
}

/** Returns the data that access rules need about these repositories, without those that do not exist. */
export async function selectRepositories(db: Db, ids: readonly number[]): Promise<RepositoryRef[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select([
      'repositories.id',
      'repositories.is_private',
      'users.id as owner_id',
      'users.visibility',
      'users.kind',
    ])
    .where('repositories.id', '=', anyOf(ids))
    .orderBy('repositories.id')
    .execute()
  return rows.map(({ id, is_private, owner_id, visibility, kind }) => ({
    id,
    is_private,
    owner: { id: owner_id, visibility, kind },
  }))
}

/** Returns which of these repositories belong to one of these accounts. */
export async function selectOwned(
  db: Db,
  ownerIds: readonly number[],
  ids: readonly number[],
): Promise<{ id: number; ownerId: number }[]> {
  if (ownerIds.length === 0 || ids.length === 0) return []
  return await db
    .selectFrom('repositories')
    .select(['id', 'owner_id as ownerId'])
    .where('id', '=', anyOf(ids))
    .where('owner_id', '=', anyOf(ownerIds))
    .orderBy('id')
    .execute()
}

export interface HookRef {
  id: number
  scope: HookScope
  ownerId: number | null
  repositoryId: number | null
}

/** Returns the scopes of these webhooks, without those that do not exist. */
export async function selectHooks(db: Db, ids: readonly number[]): Promise<HookRef[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('hooks')
    .select(['id', 'scope', 'owner_id as ownerId', 'repository_id as repositoryId'])
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .execute()
}
