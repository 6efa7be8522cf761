import { type Kysely, sql } from 'kysely'

const statements = [
  // Without a foreign key: a run keeps the owner that it was begun under, also one who is deleted by now.
  `alter table workflow_runs add column owner_id bigint`,
  `update workflow_runs set owner_id = repositories.owner_id
     from repositories where repositories.id = workflow_runs.repository_id`,
  // Those of before a transfer were begun under whoever gave the repository away next.
  `update workflow_runs set owner_id = former.owner_id from (
     select distinct on (runs.id) runs.id, events.owner_id
     from events join workflow_runs runs on runs.repository_id = (events.data ->> 'repositoryId')::bigint
       and coalesce(runs.trigger_event_id < events.id, runs.created_at <= events.created_at)
     where events.kind = 'repository.given_away' and events.owner_id is not null
     order by runs.id, events.id) former
   where former.id = workflow_runs.id`,
  `alter table workflow_runs alter column owner_id set not null`,
  // While processes are replaced one by one, earlier ones start runs without it.
  `create function set_owner_of_run() returns trigger language plpgsql as $$ begin
     select owner_id into new.owner_id from repositories where id = new.repository_id;
     return new; end $$`,
  `create trigger set_owner_of_run before insert on workflow_runs for each row
     when (new.owner_id is null) execute function set_owner_of_run()`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
