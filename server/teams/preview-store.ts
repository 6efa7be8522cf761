import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { AccessMode } from '@/server/access/access-mode'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export interface PreviewRepository {
  id: number
  name: string
  is_private: boolean
}

/** A page of all repositories of an organization, by name. */
export function selectOrgRepositories(
  db: Db,
  orgId: number,
  page: PageRequest,
): Promise<PreviewRepository[]> {
  return db
    .selectFrom('repositories')
    .select(['id', 'name', 'is_private'])
    .where('owner_id', '=', orgId)
    .orderBy(sql`lower(name)`)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export interface MembershipRow {
  user_id: number
  team_id: number
  name: string
  mode: AccessMode
}

/** Every team of the organization that any of these people are in. */
export function selectMemberships(
  db: Db,
  orgId: number,
  userIds: readonly number[],
): Promise<MembershipRow[]> {
  return db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select(['team_members.user_id', 'team_members.team_id', 'teams.name', 'teams.mode'])
    .where('team_members.org_id', '=', orgId)
    .where('team_members.user_id', '=', anyOf(userIds))
    .orderBy('team_members.team_id')
    .execute()
}

/** Which of these teams have which of these repositories. */
export function selectAttachments(
  db: Db,
  teamIds: readonly number[],
  repositoryIds: readonly number[],
): Promise<{ team_id: number; repository_id: number }[]> {
  return db
    .selectFrom('team_repositories')
    .select(['team_id', 'repository_id'])
    .where('repository_id', '=', anyOf(repositoryIds))
    .where('team_id', '=', anyOf(teamIds))
    .execute()
}

export function selectCollaborations(
  db: Db,
  userIds: readonly number[],
  repositoryIds: readonly number[],
): Promise<{ user_id: number; repository_id: number; mode: AccessMode }[]> {
  return db
    .selectFrom('repository_collaborators')
    .select(['user_id', 'repository_id', 'mode'])
    .where('repository_id', '=', anyOf(repositoryIds))
    .where('user_id', '=', anyOf(userIds))
    .execute()
}
