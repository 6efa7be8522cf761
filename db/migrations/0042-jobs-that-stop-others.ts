import { type Kysely, sql } from 'kysely'

const statements = [
  `create index workflow_jobs_stopping on workflow_jobs (run_id, attempt)
     where fail_fast and conclusion = 'failure' and not continue_on_error`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
