import { sql } from 'kysely'
import { describeSequences, describeTables } from '../backup/catalog'
import type { Db } from '../handle'
import { makeKey, makeUser } from './factories'

/** Fills a database with the values that copies get wrong, and with so many long rows. */
export async function fillWithSample(db: Db, { large = 16 } = {}): Promise<void> {
  const alice = await makeUser(db, { full_name: 'Zoë "Quote" O\'Neil 👩‍🚀 \\N \t{a,b}\r\n', description: '' })
  const bob = await makeUser(db, { description: 'null', location: '北京' })
  await makeKey(db, alice.id)
  await makeKey(db, null, { title: '', type: 'deploy', mode: 'read' })
  await db.insertInto('user_blocks').values({ blocker_id: bob.id, blocked_id: alice.id }).execute()
  await sql`update users set created_at = '2024-02-29 23:59:59.123456+00', last_login_at = '0044-03-15 BC'
    where id = ${alice.id}`.execute(db)
  await sql`update users set last_login_at = 'infinity' where id = ${bob.id}`.execute(db)
  await db
    .insertInto('access_tokens')
    .values([
      { ...token(alice.id, 'empty'), scopes: [] },
      { ...token(alice.id, 'odd'), scopes: ['a,b', '"', '\\', '', 'NULL', ' '] },
    ])
    .execute()
  await db
    .insertInto('sessions')
    .values({ user_id: bob.id, token_hash: Buffer.alloc(0), expires_at: new Date(0) })
    .execute()
  await db
    .insertInto('events')
    .values({
      kind: 'sample',
      owner_id: null,
      in_feed: true,
      data: '{"b":1.10,"a":[null,"\\u00e9\\n",{"":1e400}]}',
    })
    .execute()
  // More rows than several pages hold, and together more characters than one may have.
  await sql`insert into events (kind, data, created_at)
    select 'many', jsonb_build_object('n', n), now() + n * interval '1 microsecond'
    from generate_series(1, 1700) as n`.execute(db)
  await sql`insert into events (kind, data)
    select 'large', jsonb_build_object('text', repeat('é', 300000)) from generate_series(1, ${large}::int)`.execute(
    db,
  )
  // The highest id belongs to a row that is gone.
  const deleted = await makeUser(db)
  await db.deleteFrom('users').where('id', '=', deleted.id).execute()
}

function token(user_id: number, name: string) {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  return {
    user_id,
    name,
    token_hash: Buffer.concat([Buffer.from(name), bytes]),
    token_last_eight: '89abcdef',
  }
}

/** Tables and references that the real ones may come to have: circles, triggers, values made by the server. */
export async function addAwkwardTables(db: Db): Promise<void> {
  const statements = [
    `create type colour as enum ('red', 'light green')`,
    `create table nodes (
       id bigint generated always as identity primary key,
       parent_id bigint references nodes (id) deferrable initially deferred,
       best_leaf_id bigint,
       "Weird ""Name" numeric(20, 10),
       shade colour,
       doubled bigint generated always as (id * 2) stored,
       waited interval, day date, exact double precision, choices colour[], nested int[][], blobs bytea[])`,
    `create table leaves (id serial primary key, node_id bigint not null references nodes (id) on delete cascade)`,
    `alter table nodes add constraint best_leaf foreign key (best_leaf_id) references leaves (id) on delete set null`,
    `create table keyless (note text)`,
    `create function spoil() returns trigger language plpgsql as $$
       begin new.note := 'spoiled'; return new; end $$`,
    `create trigger spoil before insert on keyless for each row execute function spoil()`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export async function fillAwkwardTables(db: Db): Promise<void> {
  const statements = [
    `insert into nodes (parent_id, "Weird ""Name", shade, waited, day, exact, choices, nested, blobs) values
       (2, 1234567890.0123456789, 'light green', '1 year 2 mons 3 days 04:05:06.789', '9999-12-31', 0.1::float8 + 0.2,
        '{red,"light green",null}', '{{1,2},{3,null}}', array['\\x00ff'::bytea, '']),
       (null, null, null, null, null, 'NaN', '{}', null, null)`,
    `insert into leaves (node_id) values (1), (2)`,
    `update nodes set best_leaf_id = 3 - id`,
    `insert into keyless values ('first'), (null), ('')`,
    `update keyless set note = 'true' where ctid = (select min(ctid) from keyless)`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Everything a copy must equal, as text: rows, sequences, constraints and triggers. */
export async function pictureOf(db: Db): Promise<Record<string, unknown>> {
  return db.transaction().execute(async trx => {
    await sql`select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true)`.execute(trx)
    const picture: Record<string, unknown> = {}
    for (const { name } of await describeTables(trx)) {
      const { rows } = await sql<{ text: string }>`
        select row_text as text from (select t::text as row_text from ${sql.table(name)} t) rows
        order by row_text collate "C"`.execute(trx)
      picture[name] = rows.map(row => row.text)
    }
    for (const name of await describeSequences(trx)) {
      const { rows } = await sql`select last_value, is_called from ${sql.table(name)}`.execute(trx)
      picture[`sequence ${name}`] = rows
    }
    picture.constraints = await constraintsOf(trx)
    return picture
  })
}

async function constraintsOf(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
    union all
    select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal
    order by 1, 2`.execute(db)
  return rows
}
