import { type Kysely, sql } from 'kysely'

const statements = [
  // A function and not a row: like a constraint it belongs to the tables, so no backup brings another one.
  `create function oldest_writer() returns text language sql stable as $$ select '0013-workflow-triggers' $$`,
  // Programs of before say nothing of the tables they know. None of a program that is too old commits an event, not even before
  // it has heard that it is; what it writes without one goes on until then, which takes up to two seconds.
  `create function refuse_older_program() returns trigger language plpgsql as $$ begin
     if coalesce(nullif(current_setting('guildhall.schema', true), ''), '0026') collate "C" < oldest_writer() then
       raise exception 'a newer version has changed the tables; this program may not write anymore'
         using errcode = 'GHOLD';
     end if;
     return null;
   end $$`,
  `create trigger refuse_older_program before insert on events for each statement
     execute function refuse_older_program()`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
