import type { Generated } from 'kysely'

export interface AccessTokensTable {
  id: Generated<number>
  user_id: number
  name: string
  token_hash: Buffer
  token_last_eight: string
  scopes: string[]
  created_at: Generated<Date>
  last_used_at: Date | null
  /** Null if the token does not expire. */
  expires_at: Date | null
}
