import { type Kysely, sql } from 'kysely'

const statements = [
  // Which kinds feeds include is said where events are recorded. What is there keeps what was computed for it.
  `alter table events alter column in_feed drop expression`,
  // Processes of earlier versions that still run on this database do not name the column, which was computed for them.
  `create function fill_in_feed() returns trigger language plpgsql as $$ begin
     new.in_feed := new.kind in ('repository.created', 'git.pushed', 'ref.created', 'ref.deleted', 'release.published')
       and not (new.kind = 'git.pushed' and coalesce(new.data ->> 'before', '') ~ '^0+$');
     return new;
   end $$`,
  `create trigger fill_in_feed before insert on events for each row when (new.in_feed is null)
     execute function fill_in_feed()`,

  // Events that a consumer still has to handle. They are taken from here and not by "ids after the last one": a
  // transaction that commits late brings a lower id than one that is read already.
  `create table event_outbox (
     consumer text not null,
     event_id bigint not null references events (id) on delete cascade,
     primary key (consumer, event_id))`,
  `create index event_outbox_event on event_outbox (event_id)`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
