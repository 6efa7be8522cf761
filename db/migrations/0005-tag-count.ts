import { type Kysely, sql } from 'kysely'

// Null: nobody counted since. The next push does.
const statements = [`alter table repositories add column tag_count bigint`]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
