import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'

/** Returns the organizations whose only owner is this person, sorted by name. */
export function selectOwnedAlone(db: Db, userId: number): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('users', 'users.id', 'team_members.org_id')
    .select(['users.id', 'users.name'])
    .where('team_members.user_id', '=', userId)
    .where('teams.is_owners', '=', true)
    .where('teams.member_count', '=', 1)
    .orderBy(sql`lower(users.name)`)
    .execute()
}

/** Returns the first repositories of these owners, sorted by owner and name. */
export function selectRepositoriesOf(
  db: Db,
  ownerIds: readonly number[],
  limit: number,
): Promise<{ id: number; owner: string; name: string }[]> {
  return db
    .selectFrom('repositories')
    .innerJoin('users as owners', 'owners.id', 'repositories.owner_id')
    .select(['repositories.id', 'owners.name as owner', 'repositories.name'])
    .where('repositories.owner_id', '=', anyOf([...ownerIds]))
    .orderBy(sql`lower(owners.name)`)
    .orderBy(sql`lower(repositories.name)`)
    .limit(limit)
    .execute()
}

export async function countRepositoriesOf(db: Db, ownerIds: readonly number[]): Promise<number> {
  const { total } = await db
    .selectFrom('users')
    .select(sql<number>`coalesce(sum(repository_count), 0)::bigint`.as('total'))
    .where('id', '=', anyOf([...ownerIds]))
    .executeTakeFirstOrThrow()
  return total
}
