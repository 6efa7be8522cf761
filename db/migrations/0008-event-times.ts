import { type Kysely, sql } from 'kysely'

// What was recorded in a repository since a time is looked up for each push that a crash left, however much happened there
// before. Whatever looked for the repository alone finds it by the first column.
const statements = [
  `create index events_repository_time on events (repository_id, created_at) where repository_id is not null`,
  `drop index events_repository`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
