import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { givingTeams } from './given'

/** A team that gives something to one person who is in it. */
export interface GivingTeam {
  id: number
  org: { id: number; isPublic: boolean }
  isWhole: boolean
}

/** The teams that give something to this person; of one organization when given. */
export async function selectGivingTeams(db: Db, userId: number, orgId?: number): Promise<GivingTeam[]> {
  const { rows } = await sql<{ id: number; org_id: number; is_public: boolean; is_whole: boolean }>`
    select giving.id, giving.org_id, giving.is_public, giving.is_whole
    from (${givingTeams(userId)}) giving
    where ${orgId === undefined ? sql`true` : sql`giving.org_id = ${orgId}`}
    order by giving.id`.execute(db)
  return rows.map(({ id, org_id, is_public, is_whole }) => ({
    id,
    org: { id: org_id, isPublic: is_public },
    isWhole: is_whole,
  }))
}
