import type { Generated } from 'kysely'
import type { KeyMode } from './public-keys'

/** Access of a deploy key to a repository. */
export interface DeployKeysTable {
  id: Generated<number>
  repository_id: number
  /** Row of the key in `public_keys`, which several repositories can share. */
  key_id: number
  title: string
  mode: Generated<KeyMode>
  created_at: Generated<Date>
  /** Null if the key does not expire. */
  expires_at: Date | null
  last_used_at: Date | null
  /** Client address of the last use; empty until the key is used for this repository. */
  last_used_address: Generated<string>
}
