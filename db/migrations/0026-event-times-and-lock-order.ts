import { type Kysely, sql } from 'kysely'

const statements = [
  // Not the begin of a transaction, which may be long: the ids of events are in the order of these times.
  `alter table events alter column created_at set default clock_timestamp()`,

  // In the order in which whoever locks several repositories locks them.
  `create or replace function spread_owner_name() returns trigger language plpgsql as $$ begin
     perform id from repositories where owner_id = new.id order by id for no key update;
     update repositories set owner_name = new.name where owner_id = new.id;
     return null;
   end $$`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
