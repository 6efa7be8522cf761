import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index workflow_runs_workflow on workflow_runs (repository_id, workflow_path, id)`.execute(
    db,
  )
}
