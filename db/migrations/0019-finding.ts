import { type Kysely, sql } from 'kysely'

const statements = [
  // What is looked for in an owner and a name together is found by one index only if one table holds both. Repositories
  // lock their owner before anything else, as the copy does: a name that is being changed waits, or is waited for.
  `alter table repositories add column owner_name text not null default ''`,
  `update repositories set owner_name = users.name from users where users.id = repositories.owner_id`,
  `create function copy_owner_name() returns trigger language plpgsql as $$ begin
     select name into new.owner_name from users where id = new.owner_id for no key update;
     if not found then new.owner_name = ''; end if;
     return new;
   end $$`,
  // Whoever adds many at once brings the name, under the same lock: one by one is slow.
  `create trigger copy_owner_name before insert on repositories for each row when (new.owner_name = '')
     execute function copy_owner_name()`,
  `create trigger copy_new_owner_name before update of owner_id on repositories for each row
     when (old.owner_id <> new.owner_id) execute function copy_owner_name()`,
  `create function spread_owner_name() returns trigger language plpgsql as $$ begin
     update repositories set owner_name = new.name where owner_id = new.id;
     return null;
   end $$`,
  `create trigger spread_owner_name after update of name on users for each row
     when (old.name is distinct from new.name) execute function spread_owner_name()`,

  // Stored in lower case: to lower as many names as there are takes longer than to search them.
  `alter table repositories add column search_name text collate "C" not null
     generated always as (lower(owner_name || '/' || name)) stored`,
  `alter table users add column search_name text collate "C" not null
     generated always as (lower(name || ' ' || full_name)) stored`,

  // In the order of bytes, which is the only one in which the beginning of a name is looked up everywhere.
  `create index repositories_found_by_name on repositories ((lower(name) collate "C"), id)`,
  `create index repositories_found_by_path on repositories (search_name, id)`,
  `create index repositories_found_by_parts on repositories using gin (letter_triples(search_name))`,
  `create index users_found_by_name on users (kind, (lower(name) collate "C"), id)`,
  `create index users_found_by_full_name on users (kind, (lower(full_name) collate "C"), id)`,
  `create index users_found_by_parts on users using gin (letter_triples(search_name))`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
