import type { SelectQueryBuilder, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, anyOf, countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { RepositoryCollaboratorsTable } from '@/db/tables/repository-collaborators'
import { type Account, accountColumns } from '@/server/kernel/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export type CollaboratorMode = RepositoryCollaboratorsTable['mode']

/**
 * A filter for a repository's collaborators. If `openTo` is set to a viewer's user ID, private users other
 * than the viewer are left out.
 */
export interface CollaboratorsOf {
  repositoryId: number
  openTo: number | undefined
}

/** Selects a page of direct collaborators, ordered by user ID, with their total number. */
export function selectCollaborators(
  db: Db,
  of: CollaboratorsOf,
  page: PageRequest,
): Promise<(Account & { mode: CollaboratorMode; total: number })[]> {
  return collaborating(db, of)
    .select([...accountColumns, 'repository_collaborators.mode', windowTotal])
    .orderBy('repository_collaborators.user_id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countCollaborators(db: Db, of: CollaboratorsOf): Promise<number> {
  return countRows(collaborating(db, of))
}

function collaborating(
  db: Db,
  { repositoryId, openTo }: CollaboratorsOf,
): SelectQueryBuilder<Database, 'repository_collaborators' | 'users', object> {
  const all = db
    .selectFrom('repository_collaborators')
    .innerJoin('users', 'users.id', 'repository_collaborators.user_id')
    .where('repository_collaborators.repository_id', '=', repositoryId)
  if (openTo === undefined) return all
  return all.where(eb => eb.or([eb('users.visibility', '<>', 'private'), eb('users.id', '=', openTo)]))
}

/** Finds a direct collaborator's permission; undefined if the person is not a direct collaborator. */
export async function findCollaboration(
  db: Db,
  repositoryId: number,
  userId: number,
): Promise<CollaboratorMode | undefined> {
  const row = await db
    .selectFrom('repository_collaborators')
    .select('mode')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.mode
}

/** Adds a collaborator or changes an existing collaborator's permission. Returns whether anything changed. */
export async function saveCollaborator(
  trx: Transaction<Database>,
  repositoryId: number,
  userId: number,
  mode: CollaboratorMode,
): Promise<boolean> {
  const result = await trx
    .insertInto('repository_collaborators')
    .values({ repository_id: repositoryId, user_id: userId, mode })
    .onConflict(conflict =>
      conflict
        .columns(['repository_id', 'user_id'])
        .doUpdateSet({ mode })
        .where('repository_collaborators.mode', '<>', mode),
    )
    .executeTakeFirst()
  return affectedRows(result) > 0
}

/** Returns which of these people are direct collaborators of the repository. */
export async function selectCollaboratorsAmong(
  db: Db,
  repositoryId: number,
  personIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('repository_collaborators')
    .select('user_id')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '=', anyOf(personIds))
    .execute()
  return new Set(rows.map(row => row.user_id))
}
