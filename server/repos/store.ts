import { type Selectable, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { RepositoriesTable } from '@/db/tables/repositories'

export type RepositoryRow = Selectable<RepositoriesTable>

export const repositoryColumns = [
  'repositories.id',
  'repositories.owner_id',
  'repositories.name',
  'repositories.description',
  'repositories.website',
  'repositories.is_private',
  'repositories.is_template',
  'repositories.is_empty',
  'repositories.default_branch',
  'repositories.object_format',
  'repositories.storage_key',
  'repositories.size_kib',
  'repositories.branch_count',
  'repositories.tag_count',
  'repositories.settings',
  'repositories.created_at',
  'repositories.updated_at',
  'repositories.pushed_at',
  'repositories.archived_at',
] as const

/** Names are compared without regard to case. */
export function findRepositoryByName(
  db: Db,
  ownerId: number,
  name: string,
): Promise<RepositoryRow | undefined> {
  return db
    .selectFrom('repositories')
    .select(repositoryColumns)
    .where('owner_id', '=', ownerId)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
}

export function findRepositoryById(db: Db, id: number): Promise<RepositoryRow | undefined> {
  return db
    .selectFrom('repositories')
    .select(repositoryColumns)
    .where('repositories.id', '=', id)
    .executeTakeFirst()
}

/** The repository that had this name before it was renamed. */
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

/** Which of these storage keys belong to a repository. */
export async function selectKnownStorageKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('repositories')
    .select('storage_key')
    .where('storage_key', '=', sql<string>`any (${[...keys]}::text[])`)
    .execute()
  return new Set(rows.map(row => row.storage_key))
}
