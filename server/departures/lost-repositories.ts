import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { findPersonByName } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'
import { askerNamed, askerOf } from '@/server/kernel/permissions/asker'
import { visibleRepositories } from '@/server/repos'
import { type Ended, namesTold, nothingEnded } from '@/server/users'
import type { WayOut } from './schema'

/**
 * Notes, before a way out is taken, what may be lost with it, and gives what tells afterwards which repositories were:
 * those that the person sees no more, or that have lost their team with it. The caller is told only of what they see.
 */
export async function watchRepositories(
  ctx: UserCtx,
  trx: Transaction<Database>,
  wayOut: WayOut,
): Promise<() => Promise<Ended>> {
  const mine = visibleRepositories(askerOf(ctx.caller))
  switch (wayOut.way) {
    case 'organization':
    case 'team': {
      const person = await findPersonByName(trx, wayOut.username)
      if (!person) break
      const theirs = visibleRepositories(askerNamed(person))
      const before = await selectIds(trx, sql`${ofOrganization(wayOut)} and ${theirs} and ${mine}`)
      return () => selectFirst(trx, sql`${isAmong(before)} and not ${theirs}`)
    }
    case 'deletedTeam': {
      const ofTeam = sql`repositories.id in (
        select repository_id from team_repositories where team_id = ${wayOut.id})`
      const before = await selectFirst(trx, sql`${ofTeam} and ${mine}`)
      return async () => before
    }
  }
  return async () => nothingEnded
}

const ofOrganization = (wayOut: WayOut & { way: 'organization' | 'team' }): RawBuilder<SqlBool> =>
  wayOut.way === 'team'
    ? sql`repositories.owner_id = (select org_id from teams where id = ${wayOut.id})`
    : sql`repositories.owner_id = (select id from users where lower(name) = lower(${wayOut.org}))`

const isAmong = (ids: readonly number[]): RawBuilder<SqlBool> =>
  sql`repositories.id = any (${[...ids]}::bigint[])`

async function selectIds(trx: Transaction<Database>, where: RawBuilder<SqlBool>): Promise<number[]> {
  const rows = await trx.selectFrom('repositories').select('id').where(where).execute()
  return rows.map(row => row.id)
}

/** The number of these, and the first by name. */
async function selectFirst(trx: Transaction<Database>, where: RawBuilder<SqlBool>): Promise<Ended> {
  const rows = await trx
    .selectFrom('repositories')
    .innerJoin('users as owners', 'owners.id', 'repositories.owner_id')
    .select(['owners.name as owner', 'repositories.name', sql<number>`count(*) over ()`.as('total')])
    .where(where)
    .orderBy(sql`lower(repositories.name)`)
    .limit(namesTold)
    .execute()
  return { total: rows[0]?.total ?? 0, names: rows.map(({ owner, name }) => `${owner}/${name}`) }
}
