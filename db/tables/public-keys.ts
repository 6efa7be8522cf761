import type { Generated } from 'kysely'

/** Kind of a public key. A `principal` is a name in SSH certificates and has no key of its own. */
export type KeyType = 'user' | 'deploy' | 'principal'
export type KeyMode = 'read' | 'write'

export interface PublicKeysTable {
  id: Generated<number>
  /** Null for deploy keys, which belong to repositories. */
  owner_id: number | null
  title: string
  content: string
  fingerprint: string
  type: Generated<KeyType>
  mode: Generated<KeyMode>
  login_source_id: number | null
  created_at: Generated<Date>
  last_used_at: Date | null
  /** Client address of the last use; empty until the key is used. */
  last_used_address: Generated<string>
  /** Null if the key does not expire. */
  expires_at: Date | null
}
