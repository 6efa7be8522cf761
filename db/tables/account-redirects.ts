/** A name an account had before; lower case. */
export interface AccountRedirectsTable {
  name: string
  account_id: number
}
