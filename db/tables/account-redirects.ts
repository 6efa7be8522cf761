import type { Generated } from 'kysely'

/** A name an account had before; lower case. */
export interface AccountRedirectsTable {
  name: string
  account_id: number
  /** Since when the account has another name. */
  created_at: Generated<Date>
}
