import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Number of the run whose job published the release with its token, and the name of the workflow.
  await sql`alter table releases add column by_run jsonb`.execute(db)
}
