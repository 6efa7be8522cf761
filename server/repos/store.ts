import { type Insertable, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { RepositoriesTable } from '@/db/tables/repositories'
import { type Account, accountColumns, couldBeName } from '@/server/kernel/account'

/** A repository row, without the columns that only searches and feeds read. */
export type RepositoryRow = Omit<
  Selectable<RepositoriesTable>,
  'owner_name' | 'search_name' | 'owned_since_event' | 'follows_runs'
>

export const repositoryColumns = [
  'repositories.id',
  'repositories.owner_id',
  'repositories.name',
  'repositories.description',
  'repositories.website',
  'repositories.topics',
  'repositories.is_private',
  'repositories.is_template',
  'repositories.is_empty',
  'repositories.default_branch',
  'repositories.object_format',
  'repositories.storage_key',
  'repositories.size_kib',
  'repositories.branch_count',
  'repositories.tag_count',
  'repositories.release_count',
  'repositories.last_run_number',
  'repositories.run_count',
  'repositories.artifact_count',
  'repositories.settings',
  'repositories.created_at',
  'repositories.updated_at',
  'repositories.pushed_at',
  'repositories.archived_at',
  'repositories.is_offered',
] as const

/** Finds a repository by owner and name, ignoring case. */
export async function findRepositoryByName(
  db: Db,
  ownerId: number,
  name: string,
): Promise<RepositoryRow | undefined> {
  return (await repositoriesByName(db, { ownerId, name: name.toLowerCase() }))[0]
}

const repositoriesByName = fixedQuery((db, { ownerId, name }: { ownerId: number; name: string }) =>
  frequentRepositories(db).where('owner_id', '=', ownerId).where(sql`lower(name)`, '=', name),
)

const frequentRepositories = (db: Db) =>
  db.selectFrom('repositories').modifyFront(prepared).select(repositoryColumns)

const ownNames = repositoryColumns.map(column => column.replace('repositories.', '') as keyof RepositoryRow)
const ownerNames = accountColumns.map(column => column.replace('users.', '') as keyof Account)
// Repositories have columns of the same names.
const ownerColumns = ownerNames.map(name => `users.${name} as owner.${name}` as const)

/** Finds a repository with its owner by both names, ignoring case. */
export async function findRepositoryAndOwner(
  db: Db,
  path: { owner: string; repo: string },
): Promise<RepositoryAndOwner | undefined> {
  if (!couldBeName(path.owner)) return undefined
  const [row] = await withOwnerByNames(db, {
    owner: path.owner.toLowerCase(),
    repo: path.repo.toLowerCase(),
  })
  return row && withOwner(row)
}

const withOwnerByNames = fixedQuery((db, { owner, repo }: { owner: string; repo: string }) =>
  selectWithOwner(db)
    .where(sql`lower(users.name)`, '=', owner)
    .where(sql`lower(repositories.name)`, '=', repo),
)

/** Finds a repository with its owner by its ID. */
export async function findRepositoryAndOwnerById(
  db: Db,
  id: number,
): Promise<RepositoryAndOwner | undefined> {
  const [row] = await withOwnerById(db, { id })
  return row && withOwner(row)
}

const withOwnerById = fixedQuery((db, { id }: { id: number }) =>
  selectWithOwner(db).where('repositories.id', '=', id),
)

interface RepositoryAndOwner {
  repository: RepositoryRow
  owner: Account
}

const selectWithOwner = (db: Db) =>
  db
    .selectFrom('repositories')
    .modifyFront(prepared)
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select([...repositoryColumns, ...ownerColumns])

function withOwner(row: Record<string, unknown>): RepositoryAndOwner {
  const repository: Partial<Record<keyof RepositoryRow, unknown>> = {}
  for (const name of ownNames) repository[name] = row[name]
  const owner: Partial<Record<keyof Account, unknown>> = {}
  for (const name of ownerNames) owner[name] = row[`owner.${name}`]
  return { repository: repository as RepositoryRow, owner: owner as Account }
}

export async function findRepositoryById(db: Db, id: number): Promise<RepositoryRow | undefined> {
  return (await repositoriesById(db, { id }))[0]
}

const repositoriesById = fixedQuery((db, { id }: { id: number }) =>
  frequentRepositories(db).where('repositories.id', '=', id),
)

/** Selects repositories by their IDs. IDs that do not exist are missing from the result. */
export async function selectRepositories(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, RepositoryRow>> {
  const rows = await db
    .selectFrom('repositories')
    .select(repositoryColumns)
    .where('repositories.id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Finds the repository that had this name before it was renamed or transferred. */
export function findRenamedRepository(
  db: Db,
  ownerId: number,
  name: string,
): Promise<RepositoryRow | undefined> {
  return db
    .selectFrom('repository_redirects')
    .innerJoin('repositories', 'repositories.id', 'repository_redirects.repository_id')
    .select(repositoryColumns)
    .where('repository_redirects.owner_id', '=', ownerId)
    .where('repository_redirects.name', '=', name.toLowerCase())
    .executeTakeFirst()
}

/** Returns which of these storage keys, the names of Git directories, belong to an existing repository. */
export async function selectKnownStorageKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('repositories')
    .select('storage_key')
    .where('storage_key', '=', sql<string>`any (${[...keys]}::text[])`)
    .execute()
  return new Set(rows.map(row => row.storage_key))
}

export type NewRepository = Insertable<RepositoriesTable>
export type RepositoryChange = Updateable<RepositoriesTable>

/**
 * Returns the number of repositories that an account owns. In a transaction that has inserted a repository,
 * the number is exact and the account's row stays locked.
 */
export async function countOwned(db: Db, ownerId: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('repository_count')
    .where('id', '=', ownerId)
    .executeTakeFirst()
  return row?.repository_count ?? 0
}

export function insertRepository(trx: Transaction<Database>, row: NewRepository): Promise<RepositoryRow> {
  return trx.insertInto('repositories').values(row).returning(repositoryColumns).executeTakeFirstOrThrow()
}

/** Adds a new repository to all teams of its organization that include all repositories. */
export async function attachToWideTeams(
  trx: Transaction<Database>,
  repository: { id: number; owner_id: number },
): Promise<void> {
  await trx
    .insertInto('team_repositories')
    .columns(['team_id', 'org_id', 'repository_id'])
    .expression(eb =>
      eb
        .selectFrom('teams')
        .select(['teams.id', 'teams.org_id', sql.val(repository.id).as('repository_id')])
        .where('teams.org_id', '=', repository.owner_id)
        .where('teams.includes_all_repositories', '=', true),
    )
    .execute()
}

/** Deletes the redirect from a repository's former name, so that another repository can use the name. */
export async function freeName(trx: Transaction<Database>, ownerId: number, name: string): Promise<void> {
  await trx
    .deleteFrom('repository_redirects')
    .where('owner_id', '=', ownerId)
    .where('name', '=', name.toLowerCase())
    .execute()
}

/**
 * Stores a redirect from the owner and name in this row to the repository, so that the former URL still works
 * after a rename or transfer.
 */
export async function redirectName(
  trx: Transaction<Database>,
  { id, owner_id, name }: Pick<RepositoryRow, 'id' | 'owner_id' | 'name'>,
): Promise<void> {
  await trx
    .insertInto('repository_redirects')
    .values({ owner_id, name: name.toLowerCase(), repository_id: id })
    .onConflict(conflict => conflict.columns(['owner_id', 'name']).doUpdateSet({ repository_id: id }))
    .execute()
}

/** Locks a repository until the transaction ends and reads it again; undefined if it is deleted. */
export function lockRepository(trx: Transaction<Database>, id: number): Promise<RepositoryRow | undefined> {
  return trx
    .selectFrom('repositories')
    .select(repositoryColumns)
    .where('repositories.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Locks repositories until the transaction ends and reads them again. Deleted ones are missing from the
 * result.
 */
export function lockRepositories(
  trx: Transaction<Database>,
  ids: readonly number[],
): Promise<RepositoryRow[]> {
  return trx
    .selectFrom('repositories')
    .select(repositoryColumns)
    .where('repositories.id', '=', anyOf(ids))
    .orderBy('repositories.id')
    .forNoKeyUpdate()
    .execute()
}

/**
 * Returns whether the repository exists and has this owner. If so, its owner cannot change until the
 * transaction ends.
 */
export async function isStillOwned(
  trx: Transaction<Database>,
  id: number,
  ownerId: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('repositories')
    .select('id')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

export function updateRepository(
  trx: Transaction<Database>,
  id: number,
  change: RepositoryChange,
): Promise<RepositoryRow> {
  return trx
    .updateTable('repositories')
    .set(change)
    .where('id', '=', id)
    .returning(repositoryColumns)
    .executeTakeFirstOrThrow()
}

/**
 * Stores a tag count if none is stored. A count that a push has stored meanwhile is newer and is not
 * replaced.
 */
export async function keepTagCount(db: Db, id: number, count: number): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ tag_count: count })
    .where('id', '=', id)
    .where('tag_count', 'is', null)
    .execute()
}

/** Applies the same change to several repositories. */
export async function updateRepositories(
  trx: Transaction<Database>,
  ids: readonly number[],
  change: RepositoryChange,
): Promise<void> {
  await trx.updateTable('repositories').set(change).where('id', '=', anyOf(ids)).execute()
}

export async function deleteRepository(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('repositories').where('id', '=', id).execute()
}
