import { type Kysely, sql } from 'kysely'

const statements = [
  // The queue of a label by the sets of labels in it, so that sets that no runner has are passed over, however long they are.
  `drop index workflow_jobs_queue_of_label`,
  `create index workflow_jobs_queue_of_label on workflow_jobs
     (coalesce(labels ->> -1, ''), md5(labels::text), queued_at, id) where status = 'queued'`,
  `create index workflow_jobs_open_of_site on workflow_jobs (status, id desc) where status <> 'completed'`,
  `create index workflow_jobs_open_of_repository on workflow_jobs (repository_id, status, id desc)
     where status <> 'completed'`,
  `create index workflow_jobs_conclusion on workflow_jobs (repository_id, conclusion, id desc)
     where conclusion is not null`,

  `drop index workflow_tasks_unacknowledged`,
  `create index workflow_tasks_open_of_runner on workflow_tasks (runner_id, id) where status <> 'ended'`,
  `create index workflow_tasks_open_of_run on workflow_tasks (run_id, id) where status <> 'ended'`,
  `create index runners_lost on runners (coalesce(last_online_at, created_at))
     where is_ephemeral and retired_at is null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
