import { type Insertable, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import type { TeamsTable } from '@/db/tables/teams'

export type TeamRow = Pick<Selectable<TeamsTable>, Exclude<keyof TeamsTable, 'created_at'>>

export const teamColumns = [
  'teams.id',
  'teams.org_id',
  'teams.name',
  'teams.description',
  'teams.mode',
  'teams.is_owners',
  'teams.includes_all_repositories',
  'teams.can_create_org_repo',
  'teams.member_count',
  'teams.repository_count',
] as const

/** A team, and whether this person is in it. */
export async function findTeam(
  db: Db,
  id: number,
  viewerId: number,
): Promise<{ team: TeamRow; hasViewer: boolean } | undefined> {
  const row = await db
    .selectFrom('teams')
    .leftJoin('team_members', join =>
      join.onRef('team_members.team_id', '=', 'teams.id').on('team_members.user_id', '=', viewerId),
    )
    .select([...teamColumns, 'team_members.user_id as viewer_id'])
    .where('teams.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { viewer_id, ...team } = row
  return { team, hasViewer: viewer_id !== null }
}

/** Names are compared without regard to case. */
export function findTeamByName(db: Db, orgId: number, name: string): Promise<TeamRow | undefined> {
  return db
    .selectFrom('teams')
    .select(teamColumns)
    .where('org_id', '=', orgId)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
}

/** A team as it is now, held until the transaction ends; undefined when it is gone. */
export function lockTeam(trx: Transaction<Database>, id: number): Promise<TeamRow | undefined> {
  return trx
    .selectFrom('teams')
    .select(teamColumns)
    .where('teams.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function insertTeam(trx: Transaction<Database>, team: Insertable<TeamsTable>): Promise<TeamRow> {
  return trx.insertInto('teams').values(team).returning(teamColumns).executeTakeFirstOrThrow()
}

export function updateTeam(
  trx: Transaction<Database>,
  id: number,
  change: Updateable<TeamsTable>,
): Promise<TeamRow> {
  return trx
    .updateTable('teams')
    .set(change)
    .where('id', '=', id)
    .returning(teamColumns)
    .executeTakeFirstOrThrow()
}

/** Its units, members and repositories go with it. */
export async function deleteTeam(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('teams').where('id', '=', id).execute()
}
