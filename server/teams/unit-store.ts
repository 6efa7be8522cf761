import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { Unit } from '@/server/access/units'
import type { TeamUnits } from './units'

/** What is stored of the units of each of these teams; a team without any is absent. */
export async function selectUnits(db: Db, teamIds: readonly number[]): Promise<Map<number, TeamUnits>> {
  const units = new Map<number, TeamUnits>()
  if (teamIds.length === 0) return units
  const rows = await db
    .selectFrom('team_units')
    .select(['team_id', 'unit', 'mode'])
    .where('team_id', '=', anyOf(teamIds))
    .execute()
  for (const { team_id, unit, mode } of rows) units.set(team_id, { ...units.get(team_id), [unit]: mode })
  return units
}

/** Makes these the units of the team, and no others. */
export async function replaceUnits(
  trx: Transaction<Database>,
  team: { id: number; org_id: number },
  units: TeamUnits,
): Promise<void> {
  await trx.deleteFrom('team_units').where('team_id', '=', team.id).execute()
  const rows = Object.entries(units).map(([unit, mode]) => ({
    team_id: team.id,
    org_id: team.org_id,
    unit: unit as Unit,
    mode,
  }))
  if (rows.length > 0) await trx.insertInto('team_units').values(rows).execute()
}
