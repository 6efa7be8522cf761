import { type Kysely, sql } from 'kysely'

const statements = [
  // A repository that is offered to another account, which has yet to accept it.
  `create table repository_transfers (
     repository_id bigint primary key references repositories (id) on delete cascade,
     recipient_id bigint not null references users (id) on delete cascade,
     doer_id bigint not null references users (id) on delete cascade,
     created_at timestamptz not null default now())`,
  `create index repository_transfers_recipient on repository_transfers (recipient_id, created_at desc, repository_id)`,
  `create index repository_transfers_doer on repository_transfers (doer_id, created_at desc, repository_id)`,

  // The teams of the recipient that get it with the acceptance.
  `create table repository_transfer_teams (
     repository_id bigint not null references repository_transfers (repository_id) on delete cascade,
     team_id bigint not null references teams (id) on delete cascade,
     primary key (repository_id, team_id))`,
  `create index repository_transfer_teams_team on repository_transfer_teams (team_id)`,

  // Most repositories wait for nobody, and nobody has to look.
  `alter table repositories add column is_offered boolean not null default false`,
  `create function note_offer() returns trigger language plpgsql as $$ begin
     update repositories set is_offered = (tg_op = 'INSERT') where id = coalesce(new.repository_id, old.repository_id);
     return null;
   end $$`,
  `create trigger note_offer after insert or delete on repository_transfers for each row execute function note_offer()`,

  // The event by which the present owner got it, 0 for who created it: feeds of an account show what happened since.
  `alter table repositories add column owned_since_event bigint not null default 0`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
