import { type Kysely, sql } from 'kysely'

const statements = [
  // Number of runs that led to this one by workflow_run events.
  `alter table workflow_runs add column level integer not null default 0`,

  // A release event starts a workflow once for each activity.
  `drop index workflow_runs_trigger`,
  `create unique index workflow_runs_trigger on workflow_runs
     (trigger_event_id, workflow_path, coalesce(payload ->> 'action', '')) where trigger_event_id is not null`,

  // Whether workflows on the default branch may follow runs of others, so that other repositories are not read
  // for each run. Corrected by the next push.
  `alter table repositories add column follows_runs boolean not null default false`,
  `update repositories set follows_runs = true where run_count > 0`,

  // Who pushed the schedule, on whose behalf its runs start.
  `alter table workflow_schedules add column actor_id bigint references users (id) on delete set null`,
  `create index workflow_schedules_actor on workflow_schedules (actor_id) where actor_id is not null`,

  // Whether a release became a draft because its tag was deleted. Drafts of people are not published by a push.
  `alter table releases add column lost_tag boolean not null default false`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
