import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Concurrency group of a called workflow, for reruns of only some of its jobs.
  await sql`alter table called_workflows add column concurrency jsonb`.execute(db)
}
