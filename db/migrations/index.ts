import type { Migration } from 'kysely'
import { up as accountsAndKeys } from './0001-accounts-and-keys'

/** In order of their names; a static map, so that bundling keeps them. */
export const migrations: Record<string, Migration> = {
  '0001-accounts-and-keys': { up: accountsAndKeys },
}
