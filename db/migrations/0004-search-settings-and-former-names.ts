import { type Kysely, sql } from 'kysely'

const statements = [
  // Every three letters in a row, in lower case: what an index needs to find parts of words. It says what pg_trgm would,
  // which not every database has. It is slow beside `like`, as its cost tells the planner.
  `create function letter_triples(text) returns text[] language sql immutable strict parallel safe cost 1000 as $$
     select coalesce(array_agg(distinct substr(lowered, n, 3)), '{}')
     from (select lower($1) as lowered) as given, generate_series(1, length(lowered) - 2) as n $$`,
  `create index repositories_name_parts on repositories using gin (letter_triples(name))`,
  `create index repositories_description_parts on repositories using gin (letter_triples(description))`,
  `create index users_name_parts on users using gin (letter_triples(name))`,

  // Since when the name leads elsewhere. Of those before, nobody noted it.
  `alter table account_redirects add column created_at timestamptz not null default now()`,

  `alter table users
     add column theme text not null default '',
     add column diff_view_style text not null default '',
     add column hide_activity boolean not null default false,
     add column updated_at timestamptz not null default now()`,
  `update users set updated_at = created_at`,
  // Not what triggers and sign-ins write: a list in this order tells whom somebody changed.
  `create function note_account_update() returns trigger language plpgsql as $$ begin
     new.updated_at = now();
     return new;
   end $$`,
  `create trigger note_update before update of name, full_name, email, hide_email, password_hash, login_type,
     login_source_id, login_name, is_admin, is_active, prohibit_login, must_change_password, is_restricted, visibility,
     location, website, description, language, theme, diff_view_style, hide_activity on users
     for each row execute function note_account_update()`,
  `create index users_people_by_update on users (updated_at, id) where kind = 'person'`,
  `create index users_people_by_name on users (lower(name), id) where kind = 'person'`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
