import { type Kysely, sql } from 'kysely'

const statements = [
  // By what a site knows its secret key, its repository directory and its object storage again. The key's mark is sealed with
  // it; that of a place is a random id that it carries, once it is written there.
  `create table site_marks (
     thing text primary key check (thing in ('secret_key', 'repositories', 'objects')),
     mark text not null,
     is_written boolean not null,
     created_at timestamptz not null default now())`,

  `alter table workflow_jobs
     drop constraint workflow_jobs_end_reason_check,
     add constraint workflow_jobs_end_reason_check check (end_reason in
       ('cancelled', 'runner_silent', 'runner_deleted', 'too_long', 'not_taken', 'secret_sealed'))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
