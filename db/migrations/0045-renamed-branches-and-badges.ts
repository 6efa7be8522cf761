import { type Kysely, sql } from 'kysely'

const statements = [
  `create table renamed_branches (
    repository_id bigint not null references repositories (id) on delete cascade,
    from_name text collate "C" not null,
    to_name text collate "C" not null,
    renamed_at timestamptz not null,
    primary key (repository_id, from_name)
  )`,
  // A badge shows the newest outcome of a workflow on a branch.
  `create index workflow_runs_outcome on workflow_runs (repository_id, workflow_path, ref, id)
    where conclusion in ('success', 'failure')`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
