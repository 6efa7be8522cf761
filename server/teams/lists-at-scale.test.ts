// @module-tag series
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import type { Database } from '@/db/tables'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam, makeUser } from '@/db/testing/factories'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import { series } from '@/testing/series'
import { selectMemberIds } from './members/store'
import { selectUnits } from './permissions/store'
import { selectRepositories } from './repositories/store'
import { countOrgTeams, selectOrgTeams, selectTeams } from './store'

const many = series(5_000, 20_000)
const page = { page: 1, limit: 30 }

let database: OpenDatabase
// Records the queries that run on it, so that they can be explained afterwards.
let watched: Kysely<Database>
let ran: CompiledQuery[] = []
let orgId: number
let bigTeam: Team
let smallTeam: Team
let person: number

interface Team {
  id: number
  org_id: number
  member_count: number
  repository_count: number
}

beforeAll(async () => {
  database = await openLargeTestDatabase()
  const { db } = database
  watched = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void ran.push(event.query),
  })
  const owner = await makeUser(db)
  const org = await makeOrg(db, owner.id)
  orgId = org.id
  const all = await makeTeam(db, orgId, { name: 'all' })
  const few = await makeTeam(db, orgId, { name: 'few' })
  await fill(all.id)
  for (let count = 0; count < 3; count++) {
    const user = await makeUser(db)
    await addToTeam(db, few, user.id)
    person = user.id
    await attach(db, few, (await makeRepository(db, orgId)).id)
  }
  bigTeam = await countsOf(all.id)
  smallTeam = await countsOf(few.id)
}, 240_000)

afterAll(() => database?.close())

async function fill(teamId: number): Promise<void> {
  const { db } = database
  const numbers = sql`generate_series(1, ${many}::int) n`
  await sql`
    insert into users (name, full_name, email)
    select 'scale-' || n, 'Person ' || md5(n::text), 'scale-' || n || '@example.test' from ${numbers}`.execute(
    db,
  )
  await sql`
    insert into organization_members (org_id, user_id)
    select ${orgId}, id from users where name like 'scale-%'`.execute(db)
  await sql`
    insert into team_members (team_id, org_id, user_id)
    select ${teamId}, ${orgId}, id from users where name like 'scale-%'`.execute(db)
  await sql`
    insert into repositories (owner_id, name, default_branch, storage_key)
    select ${orgId}, 'repo-' || md5(n::text), 'main', 'scale-' || n from ${numbers}`.execute(db)
  await sql`
    insert into team_repositories (team_id, org_id, repository_id)
    select ${teamId}, ${orgId}, id from repositories where owner_id = ${orgId}`.execute(db)
  await sql`
    insert into teams (org_id, name, mode)
    select ${orgId}, 'team-' || md5(n::text), 'read' from ${numbers}`.execute(db)
  await sql`
    insert into team_units (team_id, org_id, unit, mode)
    select id, org_id, 'repo.code', 'read' from teams where name like 'team-%'`.execute(db)
}

const countsOf = (id: number): Promise<Team> =>
  database.db
    .selectFrom('teams')
    .select(['id', 'org_id', 'member_count', 'repository_count'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Returns the database's plans for all queries of a run as one text. */
async function plansOf(run: () => Promise<unknown>): Promise<string> {
  ran = []
  await run()
  const plans: string[] = []
  for (const query of ran) {
    const { rows } = await database.pool.query(`explain ${query.sql}`, [...query.parameters])
    plans.push(...rows.map(row => row['QUERY PLAN'] as string))
  }
  return plans.join('\n')
}

const readsWhole = /Seq Scan on (users|teams|team_members|team_units|repositories|team_repositories)\b/

// Before statistics exist, the planner underestimates short lists.
const moments = series(['with statistics'], ['before statistics are gathered', 'with statistics'])

describe.each(moments)('team lists %s', when => {
  beforeAll(async () => {
    if (when === 'with statistics') await sql`analyze`.execute(database.db)
  }, 60_000)

  it.each<[string, () => Promise<unknown>]>([
    ['the teams of an organization', () => selectOrgTeams(watched, orgId, page)],
    [
      'the teams of an organization, most members first',
      () => selectOrgTeams(watched, orgId, page, 'members'),
    ],
    ['the teams of an organization, newest first', () => selectOrgTeams(watched, orgId, page, 'newest')],
    ['the number of teams in an organization', () => countOrgTeams(watched, orgId)],
    ['the members of a large team', () => selectMemberIds(watched, bigTeam.id, page)],
    ['the repositories of a large team', () => selectRepositories(watched, bigTeam.id, page)],
    [
      'the repositories of a large team, most recently added first',
      () => selectRepositories(watched, bigTeam.id, page, 'newest'),
    ],
  ])('are read from an index, without a full scan or a sort: %s', async (_, run) => {
    const plans = await plansOf(run)
    expect(plans).toContain('Index')
    expect(plans).not.toMatch(readsWhole)
    expect(plans).not.toContain('Sort')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the members of a small team', () => selectMemberIds(watched, smallTeam.id, page)],
    ['the repositories of a small team', () => selectRepositories(watched, smallTeam.id, page)],
    ["one person's teams", () => selectTeams(watched, { memberId: person }, page)],
    ["one person's teams in the organization", () => selectTeams(watched, { memberId: person, orgId }, page)],
    ['the units of a page of teams', () => selectUnits(watched, [bigTeam.id, smallTeam.id])],
  ])('are read without a scan of large tables if the list is short: %s', async (_, run) => {
    const plans = await plansOf(run)
    expect(plans).not.toMatch(readsWhole)
    expect(plans).not.toMatch(/Index Scan using (teams_order|repositories_name_unique)/)
  })

  it('contain exactly the remaining members on the last page of a large team', async () => {
    const last = await selectMemberIds(database.db, bigTeam.id, { page: many / 50, limit: 50 })
    const all = await database.db
      .selectFrom('users')
      .select('id')
      .where('name', 'like', 'scale-%')
      .orderBy(sql`lower(full_name)`)
      .orderBy('id')
      .execute()
    expect(last).toEqual(all.slice(-50).map(row => row.id))
  })
})
