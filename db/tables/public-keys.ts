import type { Generated } from 'kysely'

/** A principal is a name in an SSH certificate; it has no key of its own. */
export type KeyType = 'user' | 'deploy' | 'principal'
export type KeyMode = 'read' | 'write'

export interface PublicKeysTable {
  id: Generated<number>
  /** null for deploy keys, which belong to a repository. */
  owner_id: number | null
  title: string
  content: string
  fingerprint: string
  type: Generated<KeyType>
  mode: Generated<KeyMode>
  login_source_id: number | null
  created_at: Generated<Date>
  last_used_at: Date | null
  /** Empty until the key is used. */
  last_used_address: Generated<string>
  /** null when it does not expire. */
  expires_at: Date | null
}
