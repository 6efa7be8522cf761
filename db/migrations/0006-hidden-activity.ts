import { type Kysely, sql } from 'kysely'

// Feeds leave out what some people did, so counting them in the index needs to know who did what.
const statements = [
  `create index events_repository_feed_actors on events (repository_id, id desc) include (kind, actor_id) where in_feed`,
  `drop index events_repository_feed`,
  `create index users_hiding_activity on users (id) where hide_activity`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
