import { sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import type { Database } from '@/db/tables'

interface TeamRef {
  id: number
  org_id: number
}

export async function isAttached(db: Db, teamId: number, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('team_repositories')
    .select('repository_id')
    .where('team_id', '=', teamId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return row !== undefined
}

/** Tells whether the repository is new to the team. */
export async function attach(
  trx: Transaction<Database>,
  team: TeamRef,
  repositoryId: number,
): Promise<boolean> {
  const result = await trx
    .insertInto('team_repositories')
    .values({ team_id: team.id, org_id: team.org_id, repository_id: repositoryId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return affectedRows(result) > 0
}

/**
 * Attaches every repository its organization has now. Whoever calls it holds the organization, so that one being made
 * at this moment is either among them or finds the team.
 */
export async function attachAll(trx: Transaction<Database>, team: TeamRef): Promise<void> {
  await trx
    .insertInto('team_repositories')
    .columns(['team_id', 'org_id', 'repository_id', 'name'])
    .expression(eb =>
      eb
        .selectFrom('repositories')
        .select([eb.val(team.id).as('team_id'), 'owner_id', 'id', sql<string>`lower(name)`.as('name')])
        .where('owner_id', '=', team.org_id)
        // A rename does not hold the organization: it waits, or its new name is read.
        .forShare(),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Tells whether it was attached. */
export async function detach(
  trx: Transaction<Database>,
  teamId: number,
  repositoryId: number,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('team_repositories')
    .where('team_id', '=', teamId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return affectedRows(result) > 0
}
