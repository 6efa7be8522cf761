import type { Generated } from 'kysely'
import type { LoginType } from './users'

export interface LoginSourcesTable {
  id: Generated<number>
  name: string
  type: LoginType
  /** The directory is the owner of its people's keys: here they are read-only. */
  provides_ssh_keys: Generated<boolean>
  created_at: Generated<Date>
}
