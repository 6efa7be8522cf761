import { type Kysely, sql } from 'kysely'

const statements = [
  `create index teams_newest on teams (org_id, id desc)`,
  `create index teams_largest on teams (org_id, member_count desc, lower(name), id)`,
  `create index team_repositories_newest on team_repositories (team_id, created_at desc, repository_id desc)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
