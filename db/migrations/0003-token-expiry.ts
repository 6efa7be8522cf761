import { type Kysely, sql } from 'kysely'

const statements = [
  // Null: it works until it is revoked.
  `alter table access_tokens add column expires_at timestamptz`,
  `create index access_tokens_by_expiry on access_tokens (expires_at) where expires_at is not null`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
