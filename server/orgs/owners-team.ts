import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { everyUnit, units } from '@/server/access/units'

/** Makes the team whose members own the organization, with its first one. */
export async function insertOwnersTeam(
  trx: Transaction<Database>,
  orgId: number,
  ownerId: number,
): Promise<void> {
  const team = await trx
    .insertInto('teams')
    .values({
      org_id: orgId,
      name: 'Owners',
      mode: 'owner',
      is_owners: true,
      includes_all_repositories: true,
      can_create_org_repo: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const modes = everyUnit('owner')
  await trx
    .insertInto('team_units')
    .values(units.map(unit => ({ team_id: team.id, org_id: orgId, unit, mode: modes[unit] })))
    .execute()
  await trx.insertInto('team_members').values({ team_id: team.id, org_id: orgId, user_id: ownerId }).execute()
}
