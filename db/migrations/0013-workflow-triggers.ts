import { type Kysely, sql } from 'kysely'

const statements = [
  // What is wrong with the workflow of a run, and the variables that conditions of its jobs read.
  `alter table workflow_runs
     add column error text not null default '',
     add column vars jsonb not null default '{}'`,

  `create index workflow_jobs_newest on workflow_jobs (repository_id, id desc)`,

  // By the name of its file, wherever that is.
  `create table disabled_workflows (
     repository_id bigint not null references repositories (id) on delete cascade,
     file text not null,
     primary key (repository_id, file))`,

  // As the workflows of the default branch have them.
  `create table workflow_schedules (
     repository_id bigint not null references repositories (id) on delete cascade,
     workflow_path text not null,
     cron text not null,
     timezone text not null,
     next_at timestamptz not null,
     primary key (repository_id, workflow_path, cron, timezone))`,
  `create index workflow_schedules_due on workflow_schedules (next_at)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
