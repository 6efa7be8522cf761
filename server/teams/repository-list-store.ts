import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '@/server/repos'
import { isAmong, isFoundBy, walksWhole } from './shape'

interface TeamRef {
  id: number
  org_id: number
  repository_count: number
}

type Condition = (eb: ExpressionBuilder<Database, 'repositories'>) => Expression<SqlBool>

/** A page of a team's repositories by name. How many there are is counted with the team. */
export async function selectRepositories(db: Db, team: TeamRef, page: PageRequest): Promise<RepositoryRow[]> {
  const proportion = { part: team.repository_count, whole: await countOrgRepositories(db, team.org_id) }
  const condition = walksWhole(proportion, page) ? isLookedUp(team) : isAttached(team.id)
  return await pageWhere(db, condition, page).select(repositoryColumns).execute()
}

/** The same without private ones, for tokens limited to public data; it counts what it reads. */
export function selectPublicRepositories(
  db: Db,
  team: TeamRef,
  page: PageRequest,
): Promise<(RepositoryRow & { total: number })[]> {
  return pageWhere(db, isAttached(team.id), page)
    .where('repositories.is_private', '=', false)
    .select([...repositoryColumns, sql<number>`count(*) over ()`.as('total')])
    .execute()
}

export async function countPublicRepositories(db: Db, team: TeamRef): Promise<number> {
  const row = await db
    .selectFrom('repositories')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(isAttached(team.id))
    .where('repositories.is_private', '=', false)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function countOrgRepositories(db: Db, orgId: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('repository_count')
    .where('id', '=', orgId)
    .executeTakeFirst()
  return row?.repository_count ?? 0
}

// Names are unique within the organization: no second column is needed to settle the order.
function pageWhere(db: Db, condition: Condition, page: PageRequest) {
  return db
    .selectFrom('repositories')
    .where(condition)
    .orderBy(sql`lower(repositories.name)`)
    .limit(page.limit)
    .offset(offsetOf(page))
}

// All repositories of the organization in the order of the list, each looked up in the team.
function isLookedUp(team: TeamRef): Condition {
  return eb =>
    eb.and([
      eb('repositories.owner_id', '=', team.org_id),
      isFoundBy(
        eb
          .selectFrom('team_repositories')
          .select('team_repositories.repository_id')
          .where('team_repositories.team_id', '=', team.id)
          .whereRef('team_repositories.repository_id', '=', 'repositories.id'),
      ),
    ])
}

function isAttached(teamId: number): Condition {
  return eb =>
    isAmong(
      'repositories.id',
      eb.selectFrom('team_repositories').select('repository_id').where('team_id', '=', teamId),
    )
}
