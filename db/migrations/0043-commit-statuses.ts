import { type Kysely, sql } from 'kysely'

const statements = [
  // Contexts are compared byte by byte, and found one after another in the order of the index: see
  // `selectLatest` in server/statuses/store.ts. The creator is not a foreign key, because statuses of jobs are
  // written while their run is locked, and accounts must be locked before runs.
  `create table commit_statuses (
     repository_id bigint not null references repositories (id) on delete cascade,
     sha text collate "C" not null check (sha ~ '^([0-9a-f]{40}|[0-9a-f]{64})$'),
     number integer not null check (number > 0),
     context text collate "C" not null,
     state text not null check (state in ('pending', 'success', 'error', 'failure', 'warning', 'skipped')),
     description text not null default '',
     target_url text not null default '',
     creator_id bigint,
     source text not null check (source in ('account', 'token', 'job', 'run')),
     created_at timestamptz not null default now(),
     primary key (repository_id, sha, number))`,
  `create index commit_statuses_latest on commit_statuses (repository_id, sha, context, number desc) include (state)`,

  // Numbers the statuses of a commit, and counts their contexts.
  `create table commit_status_totals (
     repository_id bigint not null references repositories (id) on delete cascade,
     sha text collate "C" not null,
     last_number integer not null,
     contexts integer not null,
     primary key (repository_id, sha))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
