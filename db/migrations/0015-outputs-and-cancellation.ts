import { type Kysely, sql } from 'kysely'

const statements = [
  // The size of what a job hands to others, names and values.
  `alter table workflow_jobs
     add column output_bytes integer not null default 0,
     add column continue_on_error boolean not null default false`,
  `update workflow_jobs set output_bytes = outputs.bytes
     from (select job_id, sum(octet_length(name) + octet_length(value)) bytes from workflow_job_outputs group by job_id) outputs
     where id = outputs.job_id`,

  // When its latest attempt was canceled.
  `alter table workflow_runs add column cancelled_at timestamptz`,
  `update workflow_runs set cancelled_at = updated_at
     where status <> 'completed' and exists (
       select from workflow_tasks where run_id = workflow_runs.id and status = 'cancelling')`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
