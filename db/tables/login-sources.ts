import type { Generated } from 'kysely'
import type { LoginType } from './users'

export interface LoginSourcesTable {
  id: Generated<number>
  name: string
  type: LoginType
  /** Whether the login source manages its users' SSH keys, which are then read-only here. */
  provides_ssh_keys: Generated<boolean>
  created_at: Generated<Date>
}
