import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table users
     add column may_create_organization boolean not null default true,
     add column max_repositories integer check (max_repositories >= 0)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
