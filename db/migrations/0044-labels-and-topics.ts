import { type Kysely, sql } from 'kysely'

const statements = [
  // A label belongs to a repository or an organization. Names are sorted byte by byte, and are not unique.
  `create table labels (
     id bigint generated always as identity primary key,
     repository_id bigint references repositories (id) on delete cascade,
     org_id bigint references users (id) on delete cascade,
     name text collate "C" not null,
     color text not null check (color ~ '^[0-9a-f]{6}$'),
     description text not null default '',
     is_exclusive boolean not null default false,
     is_archived boolean not null default false,
     check (num_nonnulls(repository_id, org_id) = 1))`,
  'create index labels_of_repository on labels (repository_id, name, id) where repository_id is not null',
  'create index labels_of_org on labels (org_id, name, id) where org_id is not null',

  // Topics of a repository are sorted. The table numbers the topics that some repository has had.
  `alter table repositories add column topics text[] not null default '{}'
     check (cardinality(topics) <= 25)`,
  'create index repositories_topics on repositories using gin (topics)',
  `create table topics (
     id bigint generated always as identity primary key,
     name text collate "C" not null unique,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now())`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
