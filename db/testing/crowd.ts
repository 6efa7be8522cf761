import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { addToTeam, makeOrg, makeTeam } from './factories'

/** An organization with the requested numbers of teams, of repositories, and of members of one team. */
export interface Crowd {
  org: string
  teamId: number
}

export interface CrowdSize {
  people: number
  teams: number
  repositories: number
}

const portion = 5_000

/**
 * Creates an organization of the given size, owned by the user `ownerId`. Inserts a few thousand rows at a
 * time.
 */
export async function makeCrowd(db: Db, ownerId: number, size: CrowdSize): Promise<Crowd> {
  const org = await makeOrg(db, ownerId)
  const team = await makeTeam(db, org.id, { name: 'everybody' })
  await addToTeam(db, team, ownerId)
  const ids = { org: org.id, team: team.id, owners: org.ownersTeamId }
  for (const [add, count] of [
    [addTeams, size.teams],
    [addRepositories, size.repositories],
    [addMembers, size.people],
  ] as const) {
    for (let first = 1; first <= count; first += portion) {
      await add(db, ids, first, Math.min(first + portion - 1, count))
    }
  }
  // In production, autovacuum does this some time after so many inserts.
  await sql`analyze`.execute(db)
  return { org: org.name, teamId: team.id }
}

interface Ids {
  org: number
  team: number
  owners: number
}

async function addTeams(db: Db, { org }: Ids, first: number, last: number): Promise<void> {
  await sql`
    insert into teams (org_id, name, mode) select ${org}, 'team-' || n, 'read'
    from generate_series(${first}::int, ${last}::int) n`.execute(db)
}

async function addRepositories(db: Db, ids: Ids, first: number, last: number): Promise<void> {
  await sql`
    with added as (
      insert into repositories (owner_id, name, default_branch, storage_key)
      select ${ids.org}, 'repository-' || n, 'main', md5(${`${ids.org} `} || n)
      from generate_series(${first}::int, ${last}::int) n returning id)
    insert into team_repositories (team_id, org_id, repository_id)
    select team, ${ids.org}, id from added, unnest(${[ids.team, ids.owners]}::bigint[]) team`.execute(db)
}

async function addMembers(db: Db, ids: Ids, first: number, last: number): Promise<void> {
  const name = `person-${ids.org}-`
  await sql`
    with people as (
      insert into users (name, full_name, email)
      select ${name} || n, 'Person ' || n, ${name} || n || '@example.test'
      from generate_series(${first}::int, ${last}::int) n returning id),
    members as (
      insert into organization_members (org_id, user_id) select ${ids.org}, id from people returning user_id)
    insert into team_members (team_id, org_id, user_id)
    select ${ids.team}, ${ids.org}, user_id from members`.execute(db)
}
