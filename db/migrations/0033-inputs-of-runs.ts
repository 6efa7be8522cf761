import { type Kysely, sql } from 'kysely'

const statements = [
  // Finding out their types takes reading the whole workflow, which conditions of its jobs must not wait for.
  `alter table workflow_runs add column inputs jsonb`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
