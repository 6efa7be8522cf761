import { type Kysely, sql } from 'kysely'

const statements = [`alter table workflow_runs add column warnings jsonb not null default '[]'`]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
