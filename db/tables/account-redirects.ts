import type { Generated } from 'kysely'

/** A former name of an account, in lowercase, which redirects to the account. */
export interface AccountRedirectsTable {
  name: string
  account_id: number
  /** When the account was renamed. */
  created_at: Generated<Date>
}
