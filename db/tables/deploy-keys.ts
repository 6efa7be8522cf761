import type { Generated } from 'kysely'
import type { KeyMode } from './public-keys'

/** A repository that a deploy key opens. */
export interface DeployKeysTable {
  id: Generated<number>
  repository_id: number
  /** The row of `public_keys` with the key itself, which other repositories may share. */
  key_id: number
  title: string
  mode: Generated<KeyMode>
  created_at: Generated<Date>
  /** null when it does not expire. */
  expires_at: Date | null
  last_used_at: Date | null
  /** Empty until the key is used for this repository. */
  last_used_address: Generated<string>
}
