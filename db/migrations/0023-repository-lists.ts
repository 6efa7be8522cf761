import { type Kysely, sql } from 'kysely'

const statements = [
  `create index repositories_of_owner_by_update on repositories (owner_id, updated_at desc, id desc)`,
  `create index repositories_of_owner_newest on repositories (owner_id, created_at desc, id desc)`,
  `create index users_newest on users (kind, id desc)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
