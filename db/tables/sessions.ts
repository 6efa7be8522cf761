import type { Generated } from 'kysely'

export interface SessionsTable {
  id: Generated<number>
  token_hash: Buffer
  user_id: number
  user_agent: Generated<string>
  remote_address: Generated<string>
  created_at: Generated<Date>
  last_seen_at: Generated<Date>
  expires_at: Date
}
